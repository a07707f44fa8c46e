-- How the arrivals of a dependency trigger are joined; 0 for other triggers.
-- +goose Up
ALTER TABLE jobs ADD COLUMN dependency_mode INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN dependency_window INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE jobs DROP COLUMN dependency_window;
ALTER TABLE jobs DROP COLUMN dependency_mode;
