-- Conditions that were told as events and are not over. rule_id is empty for those that
-- belong to no rule.
-- +goose Up
CREATE TABLE alert_watch (
    kind    INTEGER NOT NULL,
    subject TEXT NOT NULL,
    rule_id TEXT NOT NULL,
    since   DATETIME NOT NULL,
    detail  TEXT NOT NULL,
    PRIMARY KEY (kind, subject, rule_id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE alert_watch;
