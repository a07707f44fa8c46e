-- How the lines of node groups move, by their owners' word: written at most once a second
-- and only for groups in which something has changed.
-- +goose Up
CREATE TABLE group_flows (
    group_id      TEXT NOT NULL,
    at            DATETIME NOT NULL,
    due           INTEGER NOT NULL,
    oldest_due_at DATETIME NULL,
    late_ms       INTEGER NOT NULL,
    released      INTEGER NOT NULL,
    drains_in_ms  INTEGER NULL,
    drains_note   TEXT NOT NULL,
    limited_by    INTEGER NOT NULL,
    PRIMARY KEY (group_id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE group_flows;
