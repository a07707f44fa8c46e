-- Chunks of log lines. seq is attempt<<32 | number of the line.
-- +goose Up
CREATE TABLE task_logs (
    task_id   TEXT NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq  INTEGER NOT NULL,
    bytes     INTEGER NOT NULL,
    line_data TEXT NOT NULL,
    PRIMARY KEY (task_id, first_seq)
);

-- +goose Down
DROP TABLE task_logs;
