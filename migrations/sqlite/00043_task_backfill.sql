-- The backfill that made a task. Not indexed: its tasks are found by their job and the
-- range of ids that its instants lie in.
-- +goose Up
ALTER TABLE tasks ADD COLUMN backfill_id TEXT NULL;

-- +goose Down
ALTER TABLE tasks DROP COLUMN backfill_id;
