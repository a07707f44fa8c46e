-- Slots of single handlers, handlers that do not end, and whether a process left in good order.
-- +goose Up
ALTER TABLE nodes ADD COLUMN handler_slots TEXT NULL;
ALTER TABLE nodes ADD COLUMN stuck INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN lingering INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN left_at DATETIME NULL;

-- +goose Down
ALTER TABLE nodes DROP COLUMN handler_slots;
ALTER TABLE nodes DROP COLUMN stuck;
ALTER TABLE nodes DROP COLUMN lingering;
ALTER TABLE nodes DROP COLUMN left_at;
