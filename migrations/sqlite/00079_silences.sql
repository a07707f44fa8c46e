-- Silences and maintenance windows: messages are held back, incidents still measured.
-- +goose Up
CREATE TABLE silences (
    id          TEXT NOT NULL,
    kind        INTEGER NOT NULL,
    scope       TEXT NOT NULL,
    rule_id     TEXT NULL,
    reason      TEXT NOT NULL,
    author      TEXT NOT NULL,
    starts_at   DATETIME NOT NULL,
    ends_at     DATETIME NULL,
    recurrence  TEXT NULL,
    remind_ms   INTEGER NOT NULL,
    reminded_at DATETIME NULL,
    suppressed  INTEGER NOT NULL,
    created_at  DATETIME NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX silences_ends ON silences (ends_at);

-- +goose Down
DROP TABLE silences;
