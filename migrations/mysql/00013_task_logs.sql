-- Chunks of log lines. seq is attempt<<32 | number of the line.
-- +goose Up
CREATE TABLE task_logs (
    task_id   CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    first_seq BIGINT NOT NULL,
    last_seq  BIGINT NOT NULL,
    bytes     INT NOT NULL,
    line_data MEDIUMTEXT NOT NULL,
    PRIMARY KEY (task_id, first_seq)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE task_logs;
