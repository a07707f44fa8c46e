-- A row holds a unique key while its task is live or FAILED.
-- +goose Up
CREATE TABLE task_keys (
    job_id     TEXT NOT NULL,
    unique_key TEXT NOT NULL,
    task_id    TEXT NOT NULL,
    PRIMARY KEY (job_id, unique_key)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE task_keys;
