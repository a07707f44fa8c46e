-- One row, made at its first use: whoever changes dependencies holds its lock, so that two
-- changes at once cannot make a cycle together. version counts the changes.
-- +goose Up
CREATE TABLE dependency_graph (
    id      INT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE dependency_graph;
