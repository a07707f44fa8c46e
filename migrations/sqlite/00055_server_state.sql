-- What servers say of themselves: what they hold locks with, whether they are stopping,
-- and sentences about what is wrong. An older server writes none of it.
-- +goose Up
ALTER TABLE servers ADD COLUMN locks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE servers ADD COLUMN stopping BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE servers ADD COLUMN degraded TEXT NULL;

-- +goose Down
ALTER TABLE servers DROP COLUMN locks;
ALTER TABLE servers DROP COLUMN stopping;
ALTER TABLE servers DROP COLUMN degraded;
