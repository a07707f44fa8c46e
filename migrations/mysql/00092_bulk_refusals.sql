-- Tasks that a bulk operation left as they are, and why; the first thousand of each.
-- +goose Up
CREATE TABLE bulk_refusals (
    bulk_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    task_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    message VARCHAR(2000) NOT NULL,
    PRIMARY KEY (bulk_id, task_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE bulk_refusals;
