-- Bulk operations: the same done to many tasks, by the owner of partition 0.
-- +goose Up
CREATE TABLE bulk_operations (
    id          CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kind        TINYINT UNSIGNED NOT NULL,
    state       TINYINT UNSIGNED NOT NULL,
    total       BIGINT NOT NULL,
    done        BIGINT NOT NULL,
    refused     BIGINT NOT NULL,
    parameters  MEDIUMTEXT NULL,
    patch       MEDIUMTEXT NULL,
    reason      VARCHAR(600) NOT NULL,
    selection   MEDIUMTEXT NOT NULL,
    created_by  VARCHAR(255) NOT NULL,
    created_at  DATETIME(6) NOT NULL,
    finished_at DATETIME(6) NULL,
    PRIMARY KEY (id),
    KEY bulk_operations_state (state, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE bulk_operations;
