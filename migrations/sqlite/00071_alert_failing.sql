-- Jobs that have failed or missed fires since their last success, so that the end of it is
-- told. Small: a success takes its job out.
-- +goose Up
CREATE TABLE alert_failing (
    job_id TEXT NOT NULL,
    since  DATETIME NOT NULL,
    PRIMARY KEY (job_id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE alert_failing;
