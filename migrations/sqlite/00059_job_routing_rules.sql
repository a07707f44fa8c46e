-- What a job's own routing strategy needs besides its name; JSON.
-- +goose Up
ALTER TABLE jobs ADD COLUMN routing_rule TEXT NULL;

-- +goose Down
ALTER TABLE jobs DROP COLUMN routing_rule;
