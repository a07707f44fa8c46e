-- Who owns which of the 64 partitions. epoch rises at each take-over; every
-- transaction of an owner checks it under a shared row lock.
-- +goose Up
CREATE TABLE partitions (
    id        SMALLINT NOT NULL,
    epoch     BIGINT NOT NULL,
    owner_id  CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    leased_to DATETIME(6) NULL,
    PRIMARY KEY (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE partitions;
