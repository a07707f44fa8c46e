-- The tasks of a bulk operation that has not ended: their ids of 26 characters, one after
-- the other.
-- +goose Up
CREATE TABLE bulk_selections (
    bulk_id TEXT NOT NULL,
    tasks   BLOB NOT NULL,
    PRIMARY KEY (bulk_id)
);

-- +goose Down
DROP TABLE bulk_selections;
