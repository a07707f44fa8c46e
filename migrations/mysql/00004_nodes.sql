-- Worker processes. Written by one statement a beat, so only what never changes is indexed.
-- +goose Up
CREATE TABLE nodes (
    id           CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    app_id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    group_id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name         VARCHAR(255) NOT NULL,
    incarnation  VARCHAR(255) NOT NULL,
    state        TINYINT UNSIGNED NOT NULL,
    draining     BOOLEAN NOT NULL,
    slots        INT NOT NULL,
    running      INT NOT NULL,
    server_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    labels       MEDIUMTEXT NULL,
    handlers     MEDIUMTEXT NULL,
    sdk          VARCHAR(255) NOT NULL,
    host         VARCHAR(255) NOT NULL,
    started_at   DATETIME(6) NOT NULL,
    last_seen_at DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY nodes_name (app_id, name),
    KEY nodes_group (group_id, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE nodes;
