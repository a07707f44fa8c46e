-- calendar_version is the version by which next_fire_at was computed. trigger_since is the
-- instant up to which no fire is owed; NULL for jobs that are older than the column.
-- +goose Up
ALTER TABLE jobs ADD COLUMN calendar_id TEXT NULL;
ALTER TABLE jobs ADD COLUMN calendar_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN on_rest_day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN trigger_since DATETIME NULL;

-- +goose Down
ALTER TABLE jobs DROP COLUMN calendar_id;
ALTER TABLE jobs DROP COLUMN calendar_version;
ALTER TABLE jobs DROP COLUMN on_rest_day;
ALTER TABLE jobs DROP COLUMN trigger_since;
