-- The upstream tasks whose ends made a task. It stays as long as the task.
-- +goose Up
CREATE TABLE task_inputs (
    task_id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    upstream_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (task_id, upstream_id),
    KEY task_inputs_upstream (upstream_id, task_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE task_inputs;
