-- One row, made at its first use: whoever changes dependencies holds its lock, so that two
-- changes at once cannot make a cycle together. version counts the changes.
-- +goose Up
CREATE TABLE dependency_graph (
    id      INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (id)
);

-- +goose Down
DROP TABLE dependency_graph;
