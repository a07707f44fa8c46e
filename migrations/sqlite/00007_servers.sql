-- Server processes, by their last beat.
-- +goose Up
CREATE TABLE servers (
    id              TEXT NOT NULL,
    name            TEXT NOT NULL,
    version         TEXT NOT NULL,
    started_at      DATETIME NOT NULL,
    last_seen_at    DATETIME NOT NULL,
    clock_offset_ms INTEGER NOT NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE servers;
