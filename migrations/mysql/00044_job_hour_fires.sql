-- Fires that never became tasks: missed, or left out by a calendar; and tasks whose first
-- attempt started late.
-- +goose Up
ALTER TABLE job_hours
    ADD COLUMN missed BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN excluded BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN late BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE job_hours DROP COLUMN missed, DROP COLUMN excluded, DROP COLUMN late;
