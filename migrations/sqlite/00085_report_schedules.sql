-- When morning reports are sent, and to whom.
-- +goose Up
CREATE TABLE report_schedules (
    id           TEXT NOT NULL,
    name         TEXT NOT NULL,
    app_id       TEXT NULL,
    zone         TEXT NOT NULL,
    at_time      TEXT NOT NULL,
    days         INTEGER NOT NULL,
    channels     TEXT NULL,
    people       TEXT NULL,
    enabled      BOOLEAN NOT NULL,
    version      INTEGER NOT NULL,
    last_sent_at DATETIME NULL,
    next_at      DATETIME NULL,
    created_by   TEXT NOT NULL,
    created_at   DATETIME NOT NULL,
    updated_at   DATETIME NOT NULL,
    PRIMARY KEY (id)
);
CREATE UNIQUE INDEX report_schedules_name ON report_schedules (name);

-- +goose Down
DROP TABLE report_schedules;
