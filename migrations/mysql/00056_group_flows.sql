-- How the lines of node groups move, by their owners' word: written at most once a second
-- and only for groups in which something has changed.
-- +goose Up
CREATE TABLE group_flows (
    group_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    at            DATETIME(6) NOT NULL,
    due           BIGINT NOT NULL,
    oldest_due_at DATETIME(6) NULL,
    late_ms       BIGINT NOT NULL,
    released      INT NOT NULL,
    drains_in_ms  BIGINT NULL,
    drains_note   VARCHAR(255) NOT NULL,
    limited_by    TINYINT UNSIGNED NOT NULL,
    PRIMARY KEY (group_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE group_flows;
