-- Bulk operations: the same done to many tasks, by the owner of partition 0.
-- +goose Up
CREATE TABLE bulk_operations (
    id          TEXT NOT NULL,
    kind        INTEGER NOT NULL,
    state       INTEGER NOT NULL,
    total       INTEGER NOT NULL,
    done        INTEGER NOT NULL,
    refused     INTEGER NOT NULL,
    parameters  TEXT NULL,
    patch       TEXT NULL,
    reason      TEXT NOT NULL,
    selection   TEXT NOT NULL,
    created_by  TEXT NOT NULL,
    created_at  DATETIME NOT NULL,
    finished_at DATETIME NULL,
    PRIMARY KEY (id)
);
CREATE INDEX bulk_operations_state ON bulk_operations (state, id);

-- +goose Down
DROP TABLE bulk_operations;
