-- One-time codes that stand in for a lost second factor; the id is the hex SHA-256 of the code.
-- +goose Up
CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL,
    id      TEXT NOT NULL,
    used_at DATETIME NULL,
    PRIMARY KEY (user_id, id),
    CONSTRAINT recovery_codes_users FOREIGN KEY (user_id) REFERENCES users (id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE recovery_codes;
