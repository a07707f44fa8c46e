-- How the arrivals of a dependency trigger are joined; 0 for other triggers.
-- +goose Up
ALTER TABLE jobs
    ADD COLUMN dependency_mode TINYINT UNSIGNED NOT NULL DEFAULT 0,
    ADD COLUMN dependency_window TINYINT UNSIGNED NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE jobs DROP COLUMN dependency_mode, DROP COLUMN dependency_window;
