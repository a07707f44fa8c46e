-- Worker processes. Written by one statement a beat, so only what never changes is indexed.
-- +goose Up
CREATE TABLE nodes (
    id           TEXT NOT NULL,
    app_id       TEXT NOT NULL,
    group_id     TEXT NOT NULL,
    name         TEXT NOT NULL,
    incarnation  TEXT NOT NULL,
    state        INTEGER NOT NULL,
    draining     BOOLEAN NOT NULL,
    slots        INTEGER NOT NULL,
    running      INTEGER NOT NULL,
    server_id    TEXT NOT NULL,
    labels       TEXT NULL,
    handlers     TEXT NULL,
    sdk          TEXT NOT NULL,
    host         TEXT NOT NULL,
    started_at   DATETIME NOT NULL,
    last_seen_at DATETIME NOT NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX nodes_name ON nodes (app_id, name);
CREATE INDEX nodes_group ON nodes (group_id, id);

-- +goose Down
DROP TABLE nodes;
