-- live_name is the name while the job exists and NULL after its deletion, so that a
-- name can be used again. next_fire_at is NULL for a job that never fires by itself;
-- due_at is next_fire_at while the job may fire at all, so that the index holds those alone.
-- +goose Up
CREATE TABLE jobs (
    id                 CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    app_id             CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    group_id           CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    part               SMALLINT NOT NULL,
    name               VARCHAR(255) NOT NULL,
    live_name          VARCHAR(255) NULL,
    handler            VARCHAR(255) NOT NULL,
    description        TEXT NOT NULL,
    parameters         MEDIUMTEXT NULL,
    labels             MEDIUMTEXT NULL,
    trigger_kind       TINYINT UNSIGNED NOT NULL,
    expression         VARCHAR(1000) NOT NULL,
    zone               VARCHAR(255) NOT NULL,
    start_at           DATETIME(6) NULL,
    end_at             DATETIME(6) NULL,
    jitter_ms          BIGINT NOT NULL,
    every_ms           BIGINT NOT NULL,
    enabled            BOOLEAN NOT NULL,
    priority           TINYINT UNSIGNED NOT NULL,
    timeout_ms         BIGINT NOT NULL,
    concurrency        TINYINT UNSIGNED NOT NULL,
    max_running        INT NULL,
    delivery           TINYINT UNSIGNED NOT NULL,
    routing            TINYINT UNSIGNED NULL,
    max_attempts       INT NOT NULL,
    backoff            TINYINT UNSIGNED NOT NULL,
    retry_delay_ms     BIGINT NOT NULL,
    retry_max_delay_ms BIGINT NOT NULL,
    retry_jitter       DOUBLE NOT NULL,
    misfire_policy     TINYINT UNSIGNED NOT NULL,
    misfire_grace_ms   BIGINT NOT NULL,
    misfire_limit      INT NOT NULL,
    next_fire_at       DATETIME(6) NULL,
    due_at             DATETIME(6) GENERATED ALWAYS AS (IF(enabled AND deleted_at IS NULL AND invalid_reason = '', next_fire_at, NULL)) STORED,
    last_fire_at       DATETIME(6) NULL,
    invalid_reason     TEXT NOT NULL,
    version            INT NOT NULL,
    created_at         DATETIME(6) NOT NULL,
    updated_at         DATETIME(6) NOT NULL,
    deleted_at         DATETIME(6) NULL,
    PRIMARY KEY (id),
    KEY jobs_due (due_at, part, id),
    UNIQUE KEY jobs_live_name (app_id, live_name),
    KEY jobs_name (live_name, id),
    KEY jobs_group (group_id, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE jobs;
