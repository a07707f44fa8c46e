-- One-time codes that stand in for a lost second factor; the id is the hex SHA-256 of the code.
-- +goose Up
CREATE TABLE recovery_codes (
    user_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    id      CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    used_at DATETIME(6) NULL,
    PRIMARY KEY (user_id, id),
    CONSTRAINT recovery_codes_users FOREIGN KEY (user_id) REFERENCES users (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE recovery_codes;
