-- Ended attempts of tasks that went on after them.
-- +goose Up
CREATE TABLE attempts (
    task_id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    number        INT NOT NULL,
    node_id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    node_name     VARCHAR(255) NOT NULL,
    incarnation   VARCHAR(255) NOT NULL,
    outcome       TINYINT UNSIGNED NOT NULL,
    reason        VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    available_at  DATETIME(6) NOT NULL,
    dispatched_at DATETIME(6) NULL,
    started_at    DATETIME(6) NULL,
    finished_at   DATETIME(6) NULL,
    error         TEXT NOT NULL,
    result        MEDIUMTEXT NULL,
    PRIMARY KEY (task_id, number)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE attempts;
