-- Slots of single handlers, handlers that do not end, and whether a process left in good order.
-- +goose Up
ALTER TABLE nodes
    ADD COLUMN handler_slots MEDIUMTEXT NULL,
    ADD COLUMN stuck INT NOT NULL DEFAULT 0,
    ADD COLUMN lingering INT NOT NULL DEFAULT 0,
    ADD COLUMN left_at DATETIME(6) NULL;

-- +goose Down
ALTER TABLE nodes
    DROP COLUMN handler_slots,
    DROP COLUMN stuck,
    DROP COLUMN lingering,
    DROP COLUMN left_at;
