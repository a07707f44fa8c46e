-- Fires that never became tasks: missed, or left out by a calendar; and tasks whose first
-- attempt started late.
-- +goose Up
ALTER TABLE job_hours ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job_hours ADD COLUMN excluded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job_hours ADD COLUMN late INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE job_hours DROP COLUMN missed;
ALTER TABLE job_hours DROP COLUMN excluded;
ALTER TABLE job_hours DROP COLUMN late;
