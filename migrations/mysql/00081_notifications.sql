-- Messages to channels. The index notifications_queue holds the queue of each channel.
-- +goose Up
CREATE TABLE notifications (
    id         CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    channel_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    rule_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    kind       TINYINT UNSIGNED NOT NULL,
    severity   TINYINT UNSIGNED NOT NULL,
    state      TINYINT UNSIGNED NOT NULL,
    group_key  VARCHAR(255) NOT NULL,
    message    MEDIUMTEXT NOT NULL,
    problems   INT NOT NULL,
    tries      INT NOT NULL,
    next_at    DATETIME(6) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    queued_at  DATETIME(6) NOT NULL,
    sent_at    DATETIME(6) NULL,
    reason     VARCHAR(1000) NOT NULL,
    subject    VARCHAR(1000) NOT NULL,
    body       MEDIUMTEXT NOT NULL,
    PRIMARY KEY (id),
    KEY notifications_queue (state, channel_id, next_at, id),
    KEY notifications_channel (channel_id, id),
    KEY notifications_rule (rule_id, id),
    KEY notifications_state (state, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE notifications;
