-- How and from where a session was opened; renew: its id is to be changed at its next use.
-- +goose Up
ALTER TABLE sessions
    ADD COLUMN method  VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'password',
    ADD COLUMN address VARCHAR(64) NOT NULL DEFAULT '',
    ADD COLUMN agent   VARCHAR(255) NOT NULL DEFAULT '',
    ADD COLUMN renew   TINYINT UNSIGNED NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE sessions DROP COLUMN method, DROP COLUMN address, DROP COLUMN agent, DROP COLUMN renew;
