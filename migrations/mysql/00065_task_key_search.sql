-- Who has or had a unique key: people look for an order's number. The key of a task never
-- changes and most have none, so an insert appends an entry and nothing moves it.
-- +goose Up
ALTER TABLE tasks ADD KEY tasks_key (unique_key, id);

-- +goose Down
ALTER TABLE tasks DROP KEY tasks_key;
