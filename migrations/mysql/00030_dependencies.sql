-- Which jobs a job with a dependency trigger waits for. Only jobs that are not deleted
-- stand here. The index is what every end of a task looks into, so it holds all of that
-- look's answer.
-- +goose Up
CREATE TABLE dependencies (
    job_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    upstream_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    on_end      TINYINT UNSIGNED NOT NULL,
    place       SMALLINT NOT NULL,
    PRIMARY KEY (job_id, upstream_id),
    KEY dependencies_upstream (upstream_id, job_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE dependencies;
