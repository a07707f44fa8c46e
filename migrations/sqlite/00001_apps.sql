-- An app is a service that owns jobs and workers.
-- +goose Up
CREATE TABLE apps (
    id          TEXT NOT NULL,
    name        TEXT NOT NULL,
    description TEXT NOT NULL,
    created_at  DATETIME NOT NULL,
    updated_at  DATETIME NOT NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX apps_name ON apps (name);

-- +goose Down
DROP TABLE apps;
