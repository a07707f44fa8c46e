-- Late reports of older attempts, at most 100 a task.
-- +goose Up
CREATE TABLE refusals (
    id        TEXT NOT NULL,
    task_id   TEXT NOT NULL,
    attempt   INTEGER NOT NULL,
    node_name TEXT NOT NULL,
    at        DATETIME NOT NULL,
    message   TEXT NOT NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE INDEX refusals_task ON refusals (task_id, id);

-- +goose Down
DROP TABLE refusals;
