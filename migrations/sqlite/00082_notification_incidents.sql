-- Which incidents a notification tells.
-- +goose Up
CREATE TABLE notification_incidents (
    notification_id TEXT NOT NULL,
    incident_id     TEXT NOT NULL,
    PRIMARY KEY (notification_id, incident_id)
) WITHOUT ROWID;
CREATE INDEX notification_incidents_incident ON notification_incidents (incident_id, notification_id);

-- +goose Down
DROP TABLE notification_incidents;
