-- Ends of a group's tasks within one UTC minute.
-- +goose Up
CREATE TABLE minutes (
    group_id  CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    minute_at DATETIME(6) NOT NULL,
    succeeded BIGINT NOT NULL,
    failed    BIGINT NOT NULL,
    cancelled BIGINT NOT NULL,
    skipped   BIGINT NOT NULL,
    retried   BIGINT NOT NULL,
    PRIMARY KEY (minute_at, group_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE minutes;
