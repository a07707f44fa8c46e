-- Since when a node lives but does not receive.
-- +goose Up
ALTER TABLE nodes ADD COLUMN deaf_since DATETIME NULL;

-- +goose Down
ALTER TABLE nodes DROP COLUMN deaf_since;
