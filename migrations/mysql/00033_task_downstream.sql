-- What a task's end means for the jobs that depend on its job; 0: they go by their own
-- rules. Nearly all tasks have 0 and do not write the column.
-- +goose Up
ALTER TABLE tasks ADD COLUMN downstream TINYINT UNSIGNED NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE tasks DROP COLUMN downstream;
