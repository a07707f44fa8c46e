-- What has come in a window: of each upstream job the end that counts.
-- +goose Up
CREATE TABLE join_arrivals (
    job_id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    window_key   VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    upstream_id  CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    task_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt      INT NOT NULL,
    state        TINYINT UNSIGNED NOT NULL,
    scheduled_at DATETIME(6) NOT NULL,
    ended_at     DATETIME(6) NOT NULL,
    PRIMARY KEY (job_id, window_key, upstream_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE join_arrivals;
