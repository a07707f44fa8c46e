-- What a channel was told of a rule, for the interval between messages and the cap an hour.
-- +goose Up
CREATE TABLE alert_groups (
    rule_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    channel_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    last       MEDIUMTEXT NULL,
    sent       MEDIUMTEXT NULL,
    suppressed INT NOT NULL,
    PRIMARY KEY (rule_id, channel_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE alert_groups;
