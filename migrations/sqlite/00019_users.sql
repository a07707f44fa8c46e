-- Accounts of people.
-- +goose Up
CREATE TABLE users (
    id            TEXT NOT NULL,
    name          TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    role          INTEGER NOT NULL,
    locale        TEXT NOT NULL,
    time_zone     TEXT NOT NULL,
    disabled_at   DATETIME NULL,
    created_at    DATETIME NOT NULL,
    updated_at    DATETIME NOT NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX users_name ON users (name);

-- +goose Down
DROP TABLE users;
