-- Backfills: past fires of a job that are made up for. work is 1 while the owner of the
-- job's partition has something to do for it.
-- +goose Up
CREATE TABLE backfills (
    id           CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    job_id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state        TINYINT UNSIGNED NOT NULL,
    from_at      DATETIME(6) NOT NULL,
    to_at        DATETIME(6) NOT NULL,
    only_missing BOOLEAN NOT NULL,
    per_minute   INT NOT NULL,
    max_running  INT NOT NULL,
    parameters   MEDIUMTEXT NULL,
    total        BIGINT NOT NULL,
    created      BIGINT NOT NULL,
    present      BIGINT NOT NULL,
    succeeded    BIGINT NOT NULL,
    failed       BIGINT NOT NULL,
    cancelled    BIGINT NOT NULL,
    release_at   DATETIME(6) NOT NULL,
    next_at      DATETIME(6) NULL,
    work         BOOLEAN NOT NULL,
    created_by   VARCHAR(255) NOT NULL,
    created_at   DATETIME(6) NOT NULL,
    finished_at  DATETIME(6) NULL,
    PRIMARY KEY (id),
    KEY backfills_work (work, id),
    KEY backfills_job (job_id, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE backfills;
