-- Where the handlers are that do not end.
-- +goose Up
ALTER TABLE nodes ADD COLUMN stuck_attempts TEXT NULL;

-- +goose Down
ALTER TABLE nodes DROP COLUMN stuck_attempts;
