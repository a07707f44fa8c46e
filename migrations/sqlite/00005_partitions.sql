-- Who owns which of the 64 partitions. epoch rises at each take-over; every
-- transaction of an owner checks it under a shared row lock.
-- +goose Up
CREATE TABLE partitions (
    id        INTEGER NOT NULL,
    epoch     INTEGER NOT NULL,
    owner_id  TEXT NOT NULL,
    leased_to DATETIME NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE partitions;
