-- One row an attempt that logs: how many bytes are kept, and up to which seq the
-- oldest lines were dropped (0: none). Its lock serialises the writers of one log.
-- +goose Up
CREATE TABLE task_log_heads (
    task_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    bytes   INTEGER NOT NULL,
    cut_seq INTEGER NOT NULL,
    PRIMARY KEY (task_id, attempt)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE task_log_heads;
