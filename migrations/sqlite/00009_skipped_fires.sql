-- Runs of fires that did not become tasks, with the reason.
-- +goose Up
CREATE TABLE skipped_fires (
    id          TEXT NOT NULL,
    job_id      TEXT NOT NULL,
    first_at    DATETIME NOT NULL,
    last_at     DATETIME NOT NULL,
    fires       INTEGER NOT NULL,
    at_least    BOOLEAN NOT NULL,
    reason      TEXT NOT NULL,
    recorded_at DATETIME NOT NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE INDEX skipped_fires_job ON skipped_fires (job_id, id);

-- +goose Down
DROP TABLE skipped_fires;
