-- Ways to tell people of alerts. sealed holds the secret settings, encrypted with the
-- server's key.
-- +goose Up
CREATE TABLE alert_channels (
    id              CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name            VARCHAR(255) NOT NULL,
    kind            TINYINT UNSIGNED NOT NULL,
    enabled         BOOLEAN NOT NULL,
    disabled_reason VARCHAR(1000) NOT NULL,
    language        VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    settings        MEDIUMTEXT NULL,
    sealed          MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    per_minute      INT NOT NULL,
    burst           INT NOT NULL,
    max_age_ms      BIGINT NOT NULL,
    templates       MEDIUMTEXT NULL,
    dropped         BIGINT NOT NULL,
    last_sent_at    DATETIME(6) NULL,
    last_error      VARCHAR(1000) NOT NULL,
    version         INT NOT NULL,
    created_by      VARCHAR(255) NOT NULL,
    created_at      DATETIME(6) NOT NULL,
    updated_at      DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY alert_channels_name (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE alert_channels;
