-- Conditions that were told as events and are not over. rule_id is empty for those that
-- belong to no rule.
-- +goose Up
CREATE TABLE alert_watch (
    kind    TINYINT UNSIGNED NOT NULL,
    subject VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    rule_id VARCHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    since   DATETIME(6) NOT NULL,
    detail  TEXT NOT NULL,
    PRIMARY KEY (kind, subject, rule_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE alert_watch;
