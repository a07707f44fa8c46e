-- The highest level in a chunk of log lines, 1 (DEBUG) to 4 (ERROR), so that a
-- search for errors reads only chunks that have some. 0: stored before, unknown.
-- +goose Up
ALTER TABLE task_logs ADD COLUMN top_level INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE task_logs DROP COLUMN top_level;
