-- Late reports of older attempts, at most 100 a task.
-- +goose Up
CREATE TABLE refusals (
    id        CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    task_id   CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt   INT NOT NULL,
    node_name VARCHAR(255) NOT NULL,
    at        DATETIME(6) NOT NULL,
    message   VARCHAR(1000) NOT NULL,
    PRIMARY KEY (id),
    KEY refusals_task (task_id, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE refusals;
