-- The instants that a backfill makes up for, oldest first: the first in microseconds since
-- 1970, then the steps between them, each as a varint.
-- +goose Up
CREATE TABLE backfill_fires (
    backfill_id TEXT NOT NULL,
    fires       BLOB NOT NULL,
    PRIMARY KEY (backfill_id)
);

-- +goose Down
DROP TABLE backfill_fires;
