-- What a channel was told of a rule, for the interval between messages and the cap an hour.
-- +goose Up
CREATE TABLE alert_groups (
    rule_id    TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    last       TEXT NULL,
    sent       TEXT NULL,
    suppressed INTEGER NOT NULL,
    PRIMARY KEY (rule_id, channel_id)
);

-- +goose Down
DROP TABLE alert_groups;
