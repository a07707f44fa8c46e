-- An app is a service that owns jobs and workers.
-- +goose Up
CREATE TABLE apps (
    id          CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name        VARCHAR(255) NOT NULL,
    description TEXT NOT NULL,
    created_at  DATETIME(6) NOT NULL,
    updated_at  DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY apps_name (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE apps;
