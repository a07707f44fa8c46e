-- The tasks of a bulk operation that has not ended: their ids of 26 characters, one after
-- the other.
-- +goose Up
CREATE TABLE bulk_selections (
    bulk_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    tasks   MEDIUMBLOB NOT NULL,
    PRIMARY KEY (bulk_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE bulk_selections;
