-- calendar_version is the version by which next_fire_at was computed. trigger_since is the
-- instant up to which no fire is owed; NULL for jobs that are older than the column.
-- +goose Up
ALTER TABLE jobs
    ADD COLUMN calendar_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    ADD COLUMN calendar_version INT NOT NULL DEFAULT 0,
    ADD COLUMN on_rest_day      TINYINT UNSIGNED NOT NULL DEFAULT 0,
    ADD COLUMN trigger_since    DATETIME(6) NULL;

-- +goose Down
ALTER TABLE jobs
    DROP COLUMN calendar_id,
    DROP COLUMN calendar_version,
    DROP COLUMN on_rest_day,
    DROP COLUMN trigger_since;
