-- Backfills: past fires of a job that are made up for. work is 1 while the owner of the
-- job's partition has something to do for it.
-- +goose Up
CREATE TABLE backfills (
    id           TEXT NOT NULL,
    job_id       TEXT NOT NULL,
    state        INTEGER NOT NULL,
    from_at      DATETIME NOT NULL,
    to_at        DATETIME NOT NULL,
    only_missing BOOLEAN NOT NULL,
    per_minute   INTEGER NOT NULL,
    max_running  INTEGER NOT NULL,
    parameters   TEXT NULL,
    total        INTEGER NOT NULL,
    created      INTEGER NOT NULL,
    present      INTEGER NOT NULL,
    succeeded    INTEGER NOT NULL,
    failed       INTEGER NOT NULL,
    cancelled    INTEGER NOT NULL,
    release_at   DATETIME NOT NULL,
    next_at      DATETIME NULL,
    work         BOOLEAN NOT NULL,
    created_by   TEXT NOT NULL,
    created_at   DATETIME NOT NULL,
    finished_at  DATETIME NULL,
    PRIMARY KEY (id)
);
CREATE INDEX backfills_work ON backfills (work, id);
CREATE INDEX backfills_job ON backfills (job_id, id);

-- +goose Down
DROP TABLE backfills;
