-- What channels are to be told of, one incident a row, until it is put into a notification.
-- +goose Up
CREATE TABLE alert_pending (
    id          TEXT NOT NULL,
    incident_id TEXT NOT NULL,
    rule_id     TEXT NOT NULL,
    channel_id  TEXT NOT NULL,
    notice      INTEGER NOT NULL,
    severity    INTEGER NOT NULL,
    digest      BOOLEAN NOT NULL,
    group_key   TEXT NOT NULL,
    due_at      DATETIME NOT NULL,
    people      TEXT NULL,
    created_at  DATETIME NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX alert_pending_due ON alert_pending (due_at, id);
CREATE INDEX alert_pending_group ON alert_pending (group_key, due_at, id);
CREATE INDEX alert_pending_incident ON alert_pending (incident_id);

-- +goose Down
DROP TABLE alert_pending;
