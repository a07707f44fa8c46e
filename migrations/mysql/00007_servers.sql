-- Server processes, by their last beat.
-- +goose Up
CREATE TABLE servers (
    id              CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name            VARCHAR(255) NOT NULL,
    version         VARCHAR(255) NOT NULL,
    started_at      DATETIME(6) NOT NULL,
    last_seen_at    DATETIME(6) NOT NULL,
    clock_offset_ms BIGINT NOT NULL,
    PRIMARY KEY (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE servers;
