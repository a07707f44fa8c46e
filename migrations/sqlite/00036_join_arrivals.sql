-- What has come in a window: of each upstream job the end that counts.
-- +goose Up
CREATE TABLE join_arrivals (
    job_id       TEXT NOT NULL,
    window_key   TEXT NOT NULL,
    upstream_id  TEXT NOT NULL,
    task_id      TEXT NOT NULL,
    attempt      INTEGER NOT NULL,
    state        INTEGER NOT NULL,
    scheduled_at DATETIME NOT NULL,
    ended_at     DATETIME NOT NULL,
    PRIMARY KEY (job_id, window_key, upstream_id)
);

-- +goose Down
DROP TABLE join_arrivals;
