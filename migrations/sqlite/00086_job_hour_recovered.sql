-- Tasks that succeeded after a failed try, and attempts that were taken over from lost nodes.
-- +goose Up
ALTER TABLE job_hours ADD COLUMN recovered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job_hours ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE job_hours DROP COLUMN recovered;
ALTER TABLE job_hours DROP COLUMN lost;
