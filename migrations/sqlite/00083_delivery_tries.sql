-- Tries to send a notification.
-- +goose Up
CREATE TABLE delivery_tries (
    notification_id TEXT NOT NULL,
    number          INTEGER NOT NULL,
    at              DATETIME NOT NULL,
    duration_ms     INTEGER NOT NULL,
    status          INTEGER NOT NULL,
    response        TEXT NOT NULL,
    error           TEXT NOT NULL,
    next_at         DATETIME NULL,
    PRIMARY KEY (notification_id, number)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE delivery_tries;
