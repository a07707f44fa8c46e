-- Runs of fires that did not become tasks, with the reason.
-- +goose Up
CREATE TABLE skipped_fires (
    id          CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    job_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    first_at    DATETIME(6) NOT NULL,
    last_at     DATETIME(6) NOT NULL,
    fires       BIGINT NOT NULL,
    at_least    BOOLEAN NOT NULL,
    reason      VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    recorded_at DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    KEY skipped_fires_job (job_id, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE skipped_fires;
