-- Signed-in browsers; the id is the hex SHA-256 of the cookie's secret.
-- +goose Up
CREATE TABLE sessions (
    id           CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    user_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at   DATETIME(6) NOT NULL,
    last_seen_at DATETIME(6) NOT NULL,
    expires_at   DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    KEY sessions_user (user_id, id),
    KEY sessions_expiry (expires_at),
    CONSTRAINT sessions_users FOREIGN KEY (user_id) REFERENCES users (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE sessions;
