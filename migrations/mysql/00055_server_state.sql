-- What servers say of themselves: what they hold locks with, whether they are stopping,
-- and sentences about what is wrong. An older server writes none of it.
-- +goose Up
ALTER TABLE servers
    ADD COLUMN locks    TINYINT UNSIGNED NOT NULL DEFAULT 0,
    ADD COLUMN stopping BOOLEAN NOT NULL DEFAULT FALSE,
    ADD COLUMN degraded MEDIUMTEXT NULL;

-- +goose Down
ALTER TABLE servers DROP COLUMN locks, DROP COLUMN stopping, DROP COLUMN degraded;
