-- Ways to tell people of alerts. sealed holds the secret settings, encrypted with the
-- server's key.
-- +goose Up
CREATE TABLE alert_channels (
    id              TEXT NOT NULL,
    name            TEXT NOT NULL,
    kind            INTEGER NOT NULL,
    enabled         BOOLEAN NOT NULL,
    disabled_reason TEXT NOT NULL,
    language        TEXT NOT NULL,
    settings        TEXT NULL,
    sealed          TEXT NOT NULL,
    per_minute      INTEGER NOT NULL,
    burst           INTEGER NOT NULL,
    max_age_ms      INTEGER NOT NULL,
    templates       TEXT NULL,
    dropped         INTEGER NOT NULL,
    last_sent_at    DATETIME NULL,
    last_error      TEXT NOT NULL,
    version         INTEGER NOT NULL,
    created_by      TEXT NOT NULL,
    created_at      DATETIME NOT NULL,
    updated_at      DATETIME NOT NULL,
    PRIMARY KEY (id)
);
CREATE UNIQUE INDEX alert_channels_name ON alert_channels (name);

-- +goose Down
DROP TABLE alert_channels;
