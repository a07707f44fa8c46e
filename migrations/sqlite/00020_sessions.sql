-- Signed-in browsers; the id is the hex SHA-256 of the cookie's secret.
-- +goose Up
CREATE TABLE sessions (
    id           TEXT NOT NULL,
    user_id      TEXT NOT NULL,
    created_at   DATETIME NOT NULL,
    last_seen_at DATETIME NOT NULL,
    expires_at   DATETIME NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT sessions_users FOREIGN KEY (user_id) REFERENCES users (id)
) WITHOUT ROWID;
CREATE INDEX sessions_user ON sessions (user_id, id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- +goose Down
DROP TABLE sessions;
