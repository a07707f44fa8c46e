-- The windows of jobs with a dependency trigger: open until fired_at or reason is set, and
-- fired at most once. Old ones are forgotten.
-- +goose Up
CREATE TABLE joins (
    job_id     TEXT NOT NULL,
    window_key TEXT NOT NULL,
    downstream INTEGER NOT NULL,
    opened_at  DATETIME NOT NULL,
    fired_at   DATETIME NULL,
    task_id    TEXT NULL,
    reason     TEXT NOT NULL,
    PRIMARY KEY (job_id, window_key)
);
CREATE INDEX joins_job ON joins (job_id, opened_at);
CREATE INDEX joins_opened ON joins (opened_at);

-- +goose Down
DROP TABLE joins;
