-- How and from where a session was opened; renew: its id is to be changed at its next use.
-- +goose Up
ALTER TABLE sessions ADD COLUMN method TEXT NOT NULL DEFAULT 'password';
ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN agent TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN renew INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE sessions DROP COLUMN method;
ALTER TABLE sessions DROP COLUMN address;
ALTER TABLE sessions DROP COLUMN agent;
ALTER TABLE sessions DROP COLUMN renew;
