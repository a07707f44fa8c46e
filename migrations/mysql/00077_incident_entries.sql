-- The timelines of incidents; at most 500 entries each.
-- +goose Up
CREATE TABLE incident_entries (
    id          CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    incident_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    at          DATETIME(6) NOT NULL,
    kind        TINYINT UNSIGNED NOT NULL,
    message     VARCHAR(1000) NOT NULL,
    task_id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    attempt     INT NOT NULL,
    node_id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    actor       VARCHAR(255) NOT NULL,
    PRIMARY KEY (id),
    KEY incident_entries_incident (incident_id, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE incident_entries;
