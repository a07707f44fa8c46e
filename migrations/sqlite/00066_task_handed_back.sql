-- How many attempts in a row were refused or released: each such attempt lets the task wait
-- twice as long as the one before. The end of any other attempt sets it to 0.
-- +goose Up
ALTER TABLE tasks ADD COLUMN handed_back INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE tasks DROP COLUMN handed_back;
