-- Ends of a job's tasks within one UTC hour.
-- +goose Up
CREATE TABLE job_hours (
    job_id      TEXT NOT NULL,
    hour_at     DATETIME NOT NULL,
    succeeded   INTEGER NOT NULL,
    failed      INTEGER NOT NULL,
    cancelled   INTEGER NOT NULL,
    skipped     INTEGER NOT NULL,
    retried     INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    delay_ms    INTEGER NOT NULL,
    PRIMARY KEY (job_id, hour_at)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE job_hours;
