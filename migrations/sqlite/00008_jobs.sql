-- live_name is the name while the job exists and NULL after its deletion, so that a
-- name can be used again. next_fire_at is NULL for a job that never fires by itself;
-- due_at is next_fire_at while the job may fire at all, so that the index holds those alone.
-- +goose Up
CREATE TABLE jobs (
    id                 TEXT NOT NULL,
    app_id             TEXT NOT NULL,
    group_id           TEXT NOT NULL,
    part               INTEGER NOT NULL,
    name               TEXT NOT NULL,
    live_name          TEXT NULL,
    handler            TEXT NOT NULL,
    description        TEXT NOT NULL,
    parameters         TEXT NULL,
    labels             TEXT NULL,
    trigger_kind       INTEGER NOT NULL,
    expression         TEXT NOT NULL,
    zone               TEXT NOT NULL,
    start_at           DATETIME NULL,
    end_at             DATETIME NULL,
    jitter_ms          INTEGER NOT NULL,
    every_ms           INTEGER NOT NULL,
    enabled            BOOLEAN NOT NULL,
    priority           INTEGER NOT NULL,
    timeout_ms         INTEGER NOT NULL,
    concurrency        INTEGER NOT NULL,
    max_running        INTEGER NULL,
    delivery           INTEGER NOT NULL,
    routing            INTEGER NULL,
    max_attempts       INTEGER NOT NULL,
    backoff            INTEGER NOT NULL,
    retry_delay_ms     INTEGER NOT NULL,
    retry_max_delay_ms INTEGER NOT NULL,
    retry_jitter       REAL NOT NULL,
    misfire_policy     INTEGER NOT NULL,
    misfire_grace_ms   INTEGER NOT NULL,
    misfire_limit      INTEGER NOT NULL,
    next_fire_at       DATETIME NULL,
    due_at             DATETIME GENERATED ALWAYS AS (CASE WHEN enabled AND deleted_at IS NULL AND invalid_reason = '' THEN next_fire_at END) STORED,
    last_fire_at       DATETIME NULL,
    invalid_reason     TEXT NOT NULL,
    version            INTEGER NOT NULL,
    created_at         DATETIME NOT NULL,
    updated_at         DATETIME NOT NULL,
    deleted_at         DATETIME NULL,
    PRIMARY KEY (id)
);
CREATE INDEX jobs_due ON jobs (due_at, part, id);
CREATE UNIQUE INDEX jobs_live_name ON jobs (app_id, live_name);
CREATE INDEX jobs_name ON jobs (live_name, id);
CREATE INDEX jobs_group ON jobs (group_id, id);

-- +goose Down
DROP TABLE jobs;
