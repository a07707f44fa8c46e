-- part is the partition that the group hashes into.
-- +goose Up
CREATE TABLE node_groups (
    id               CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    app_id           CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name             VARCHAR(255) NOT NULL,
    part             SMALLINT NOT NULL,
    max_running      INT NULL,
    release_rate     INT NULL,
    release_burst    INT NULL,
    routing          TINYINT UNSIGNED NOT NULL,
    heartbeat_ms     BIGINT NOT NULL,
    heartbeat_misses INT NOT NULL,
    created_at       DATETIME(6) NOT NULL,
    updated_at       DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY node_groups_name (app_id, name),
    KEY node_groups_part (part, id),
    CONSTRAINT node_groups_apps FOREIGN KEY (app_id) REFERENCES apps (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE node_groups;
