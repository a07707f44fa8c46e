-- The upstream tasks whose ends made a task. It stays as long as the task.
-- +goose Up
CREATE TABLE task_inputs (
    task_id     TEXT NOT NULL,
    upstream_id TEXT NOT NULL,
    PRIMARY KEY (task_id, upstream_id)
);
CREATE INDEX task_inputs_upstream ON task_inputs (upstream_id, task_id);

-- +goose Down
DROP TABLE task_inputs;
