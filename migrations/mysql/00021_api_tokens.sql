-- Bearer tokens, hashed.
-- +goose Up
CREATE TABLE api_tokens (
    id           CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name         VARCHAR(255) NOT NULL,
    hash         CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    prefix       VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    role         TINYINT UNSIGNED NOT NULL,
    created_at   DATETIME(6) NOT NULL,
    expires_at   DATETIME(6) NULL,
    last_used_at DATETIME(6) NULL,
    revoked_at   DATETIME(6) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY api_tokens_hash (hash)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE api_tokens;
