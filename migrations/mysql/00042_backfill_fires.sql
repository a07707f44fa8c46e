-- The instants that a backfill makes up for, oldest first: the first in microseconds since
-- 1970, then the steps between them, each as a varint.
-- +goose Up
CREATE TABLE backfill_fires (
    backfill_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    fires       MEDIUMBLOB NOT NULL,
    PRIMARY KEY (backfill_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE backfill_fires;
