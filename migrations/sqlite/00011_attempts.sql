-- Ended attempts of tasks that went on after them.
-- +goose Up
CREATE TABLE attempts (
    task_id       TEXT NOT NULL,
    number        INTEGER NOT NULL,
    node_id       TEXT NULL,
    node_name     TEXT NOT NULL,
    incarnation   TEXT NOT NULL,
    outcome       INTEGER NOT NULL,
    reason        TEXT NOT NULL,
    available_at  DATETIME NOT NULL,
    dispatched_at DATETIME NULL,
    started_at    DATETIME NULL,
    finished_at   DATETIME NULL,
    error         TEXT NOT NULL,
    result        TEXT NULL,
    PRIMARY KEY (task_id, number)
);

-- +goose Down
DROP TABLE attempts;
