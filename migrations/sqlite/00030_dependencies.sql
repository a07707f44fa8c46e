-- Which jobs a job with a dependency trigger waits for. Only jobs that are not deleted
-- stand here. The index is what every end of a task looks into, so it holds all of that
-- look's answer.
-- +goose Up
CREATE TABLE dependencies (
    job_id      TEXT NOT NULL,
    upstream_id TEXT NOT NULL,
    on_end      INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    PRIMARY KEY (job_id, upstream_id)
);
CREATE INDEX dependencies_upstream ON dependencies (upstream_id, job_id);

-- +goose Down
DROP TABLE dependencies;
