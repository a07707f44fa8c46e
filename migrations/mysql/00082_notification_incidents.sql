-- Which incidents a notification tells.
-- +goose Up
CREATE TABLE notification_incidents (
    notification_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    incident_id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (notification_id, incident_id),
    KEY notification_incidents_incident (incident_id, notification_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE notification_incidents;
