-- The windows of jobs with a dependency trigger: open until fired_at or reason is set, and
-- fired at most once. Old ones are forgotten.
-- +goose Up
CREATE TABLE joins (
    job_id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    window_key VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    downstream TINYINT UNSIGNED NOT NULL,
    opened_at  DATETIME(6) NOT NULL,
    fired_at   DATETIME(6) NULL,
    task_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    reason     VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (job_id, window_key),
    KEY joins_job (job_id, opened_at),
    KEY joins_opened (opened_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE joins;
