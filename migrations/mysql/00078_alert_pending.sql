-- What channels are to be told of, one incident a row, until it is put into a notification.
-- +goose Up
CREATE TABLE alert_pending (
    id          CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    incident_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    rule_id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    channel_id  CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    notice      TINYINT UNSIGNED NOT NULL,
    severity    TINYINT UNSIGNED NOT NULL,
    digest      BOOLEAN NOT NULL,
    group_key   VARCHAR(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    due_at      DATETIME(6) NOT NULL,
    people      MEDIUMTEXT NULL,
    created_at  DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    KEY alert_pending_due (due_at, id),
    KEY alert_pending_group (group_key, due_at, id),
    KEY alert_pending_incident (incident_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE alert_pending;
