-- The timelines of incidents; at most 500 entries each.
-- +goose Up
CREATE TABLE incident_entries (
    id          TEXT NOT NULL,
    incident_id TEXT NOT NULL,
    at          DATETIME NOT NULL,
    kind        INTEGER NOT NULL,
    message     TEXT NOT NULL,
    task_id     TEXT NULL,
    attempt     INTEGER NOT NULL,
    node_id     TEXT NULL,
    actor       TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX incident_entries_incident ON incident_entries (incident_id, id);

-- +goose Down
DROP TABLE incident_entries;
