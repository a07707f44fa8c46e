-- Silences and maintenance windows: messages are held back, incidents still measured.
-- +goose Up
CREATE TABLE silences (
    id          CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kind        TINYINT UNSIGNED NOT NULL,
    scope       MEDIUMTEXT NOT NULL,
    rule_id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    reason      VARCHAR(1000) NOT NULL,
    author      VARCHAR(255) NOT NULL,
    starts_at   DATETIME(6) NOT NULL,
    ends_at     DATETIME(6) NULL,
    recurrence  MEDIUMTEXT NULL,
    remind_ms   BIGINT NOT NULL,
    reminded_at DATETIME(6) NULL,
    suppressed  BIGINT NOT NULL,
    created_at  DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    KEY silences_ends (ends_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE silences;
