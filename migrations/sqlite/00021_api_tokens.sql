-- Bearer tokens, hashed.
-- +goose Up
CREATE TABLE api_tokens (
    id           TEXT NOT NULL,
    name         TEXT NOT NULL,
    hash         TEXT NOT NULL,
    prefix       TEXT NOT NULL,
    role         INTEGER NOT NULL,
    created_at   DATETIME NOT NULL,
    expires_at   DATETIME NULL,
    last_used_at DATETIME NULL,
    revoked_at   DATETIME NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX api_tokens_hash ON api_tokens (hash);

-- +goose Down
DROP TABLE api_tokens;
