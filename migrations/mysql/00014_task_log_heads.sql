-- One row an attempt that logs: how many bytes are kept, and up to which seq the
-- oldest lines were dropped (0: none). Its lock serialises the writers of one log.
-- +goose Up
CREATE TABLE task_log_heads (
    task_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt INT NOT NULL,
    bytes   BIGINT NOT NULL,
    cut_seq BIGINT NOT NULL,
    PRIMARY KEY (task_id, attempt)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE task_log_heads;
