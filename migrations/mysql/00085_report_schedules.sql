-- When morning reports are sent, and to whom.
-- +goose Up
CREATE TABLE report_schedules (
    id           CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name         VARCHAR(255) NOT NULL,
    app_id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    zone         VARCHAR(255) NOT NULL,
    at_time      VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    days         INT NOT NULL,
    channels     MEDIUMTEXT NULL,
    people       MEDIUMTEXT NULL,
    enabled      BOOLEAN NOT NULL,
    version      INT NOT NULL,
    last_sent_at DATETIME(6) NULL,
    next_at      DATETIME(6) NULL,
    created_by   VARCHAR(255) NOT NULL,
    created_at   DATETIME(6) NOT NULL,
    updated_at   DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY report_schedules_name (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE report_schedules;
