-- That a request moved a task which held a unique key, for repeats of the request. The
-- time part of the id is the request's; rows older than two days are deleted.
-- +goose Up
CREATE TABLE task_moves (
    id       TEXT NOT NULL,
    task_id  TEXT NOT NULL,
    moved_at DATETIME NOT NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE task_moves;
