-- Each version of a job as it was, with who made it; the newest hundred of each job.
-- +goose Up
CREATE TABLE job_revisions (
    job_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    number      INT NOT NULL,
    at          DATETIME(6) NOT NULL,
    author      VARCHAR(255) NOT NULL,
    author_kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    action      VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    fields      MEDIUMTEXT NULL,
    snapshot    MEDIUMTEXT NOT NULL,
    PRIMARY KEY (job_id, number)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE job_revisions;
