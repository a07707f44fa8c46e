-- Tasks that succeeded after a failed try, and attempts that were taken over from lost nodes.
-- +goose Up
ALTER TABLE job_hours
    ADD COLUMN recovered BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN lost BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE job_hours DROP COLUMN recovered, DROP COLUMN lost;
