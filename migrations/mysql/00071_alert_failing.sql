-- Jobs that have failed or missed fires since their last success, so that the end of it is
-- told. Small: a success takes its job out.
-- +goose Up
CREATE TABLE alert_failing (
    job_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    since  DATETIME(6) NOT NULL,
    PRIMARY KEY (job_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE alert_failing;
