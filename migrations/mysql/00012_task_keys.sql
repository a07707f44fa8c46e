-- A row holds a unique key while its task is live or FAILED.
-- +goose Up
CREATE TABLE task_keys (
    job_id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    unique_key VARCHAR(255) NOT NULL,
    task_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (job_id, unique_key)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE task_keys;
