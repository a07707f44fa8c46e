-- That a request moved a task which held a unique key, for repeats of the request. The
-- time part of the id is the request's; rows older than two days are deleted.
-- +goose Up
CREATE TABLE task_moves (
    id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    task_id  CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    moved_at DATETIME(6) NOT NULL,
    PRIMARY KEY (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE task_moves;
