-- Who has or had a unique key: people look for an order's number. Most tasks have none.
-- +goose Up
CREATE INDEX tasks_key ON tasks (unique_key, id) WHERE unique_key IS NOT NULL;

-- +goose Down
DROP INDEX tasks_key;
