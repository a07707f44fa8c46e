-- Ends of a group's tasks within one UTC minute.
-- +goose Up
CREATE TABLE minutes (
    group_id  TEXT NOT NULL,
    minute_at DATETIME NOT NULL,
    succeeded INTEGER NOT NULL,
    failed    INTEGER NOT NULL,
    cancelled INTEGER NOT NULL,
    skipped   INTEGER NOT NULL,
    retried   INTEGER NOT NULL,
    PRIMARY KEY (minute_at, group_id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE minutes;
