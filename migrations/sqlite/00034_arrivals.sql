-- Ends of tasks that the jobs depending on them have not been told of yet. Written by the
-- transaction that ends the task, deleted by the one that has joined them.
-- +goose Up
CREATE TABLE arrivals (
    id           TEXT NOT NULL,
    part         INTEGER NOT NULL,
    job_id       TEXT NOT NULL,
    upstream_id  TEXT NOT NULL,
    task_id      TEXT NOT NULL,
    attempt      INTEGER NOT NULL,
    state        INTEGER NOT NULL,
    downstream   INTEGER NOT NULL,
    root_id      TEXT NOT NULL,
    scheduled_at DATETIME NOT NULL,
    ended_at     DATETIME NOT NULL,
    PRIMARY KEY (id)
);

-- +goose Down
DROP TABLE arrivals;
