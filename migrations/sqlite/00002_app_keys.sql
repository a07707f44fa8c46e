-- Keys of apps, hashed: the key itself is shown once and kept nowhere.
-- +goose Up
CREATE TABLE app_keys (
    id           TEXT NOT NULL,
    app_id       TEXT NOT NULL,
    hash         TEXT NOT NULL,
    prefix       TEXT NOT NULL,
    created_at   DATETIME NOT NULL,
    last_used_at DATETIME NULL,
    revoked_at   DATETIME NULL,
    PRIMARY KEY (id),
    CONSTRAINT app_keys_apps FOREIGN KEY (app_id) REFERENCES apps (id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX app_keys_hash ON app_keys (hash);
CREATE INDEX app_keys_app ON app_keys (app_id, id);

-- +goose Down
DROP TABLE app_keys;
