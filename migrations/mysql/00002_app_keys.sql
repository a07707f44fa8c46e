-- Keys of apps, hashed: the key itself is shown once and kept nowhere.
-- +goose Up
CREATE TABLE app_keys (
    id           CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    app_id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    hash         CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    prefix       VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at   DATETIME(6) NOT NULL,
    last_used_at DATETIME(6) NULL,
    revoked_at   DATETIME(6) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY app_keys_hash (hash),
    KEY app_keys_app (app_id, id),
    CONSTRAINT app_keys_apps FOREIGN KEY (app_id) REFERENCES apps (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE app_keys;
