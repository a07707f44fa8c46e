-- Ends of a job's tasks within one UTC hour.
-- +goose Up
CREATE TABLE job_hours (
    job_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    hour_at     DATETIME(6) NOT NULL,
    succeeded   BIGINT NOT NULL,
    failed      BIGINT NOT NULL,
    cancelled   BIGINT NOT NULL,
    skipped     BIGINT NOT NULL,
    retried     BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    delay_ms    BIGINT NOT NULL,
    PRIMARY KEY (job_id, hour_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE job_hours;
