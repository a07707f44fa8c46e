-- Ends of tasks that the jobs depending on them have not been told of yet. Written by the
-- transaction that ends the task, deleted by the one that has joined them.
-- +goose Up
CREATE TABLE arrivals (
    id           CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    part         SMALLINT NOT NULL,
    job_id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    upstream_id  CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    task_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt      INT NOT NULL,
    state        TINYINT UNSIGNED NOT NULL,
    downstream   TINYINT UNSIGNED NOT NULL,
    root_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    scheduled_at DATETIME(6) NOT NULL,
    ended_at     DATETIME(6) NOT NULL,
    PRIMARY KEY (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE arrivals;
