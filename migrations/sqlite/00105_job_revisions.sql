-- Each version of a job as it was, with who made it; the newest hundred of each job.
-- +goose Up
CREATE TABLE job_revisions (
    job_id      TEXT NOT NULL,
    number      INTEGER NOT NULL,
    at          DATETIME NOT NULL,
    author      TEXT NOT NULL,
    author_kind TEXT NOT NULL,
    action      TEXT NOT NULL,
    fields      TEXT NULL,
    snapshot    TEXT NOT NULL,
    PRIMARY KEY (job_id, number)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE job_revisions;
