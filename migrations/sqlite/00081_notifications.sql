-- Messages to channels. The index notifications_queue holds the queue of each channel.
-- +goose Up
CREATE TABLE notifications (
    id         TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    rule_id    TEXT NULL,
    kind       INTEGER NOT NULL,
    severity   INTEGER NOT NULL,
    state      INTEGER NOT NULL,
    group_key  TEXT NOT NULL,
    message    TEXT NOT NULL,
    problems   INTEGER NOT NULL,
    tries      INTEGER NOT NULL,
    next_at    DATETIME NOT NULL,
    created_at DATETIME NOT NULL,
    queued_at  DATETIME NOT NULL,
    sent_at    DATETIME NULL,
    reason     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX notifications_queue ON notifications (state, channel_id, next_at, id);
CREATE INDEX notifications_channel ON notifications (channel_id, id);
CREATE INDEX notifications_rule ON notifications (rule_id, id);
CREATE INDEX notifications_state ON notifications (state, id);

-- +goose Down
DROP TABLE notifications;
