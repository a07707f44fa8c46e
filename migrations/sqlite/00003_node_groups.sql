-- part is the partition that the group hashes into.
-- +goose Up
CREATE TABLE node_groups (
    id               TEXT NOT NULL,
    app_id           TEXT NOT NULL,
    name             TEXT NOT NULL,
    part             INTEGER NOT NULL,
    max_running      INTEGER NULL,
    release_rate     INTEGER NULL,
    release_burst    INTEGER NULL,
    routing          INTEGER NOT NULL,
    heartbeat_ms     INTEGER NOT NULL,
    heartbeat_misses INTEGER NOT NULL,
    created_at       DATETIME NOT NULL,
    updated_at       DATETIME NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT node_groups_apps FOREIGN KEY (app_id) REFERENCES apps (id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX node_groups_name ON node_groups (app_id, name);
CREATE INDEX node_groups_part ON node_groups (part, id);

-- +goose Down
DROP TABLE node_groups;
