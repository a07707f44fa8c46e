-- What alerts may tell of, written in the transaction that caused it. unhandled is 1 until
-- the event has become part of incidents, then NULL. The key grows in the order of writing.
-- +goose Up
CREATE TABLE alert_events (
    id        CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kind      TINYINT UNSIGNED NOT NULL,
    cleared   BOOLEAN NOT NULL,
    at        DATETIME(6) NOT NULL,
    app_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    group_id  CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    job_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    task_id   CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    node_id   CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    server_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    attempt   INT NOT NULL,
    subject   VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    error     VARCHAR(1000) NOT NULL,
    detail    TEXT NOT NULL,
    rule_id   CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    unhandled TINYINT NULL DEFAULT 1,
    PRIMARY KEY (id),
    KEY alert_events_unhandled (unhandled, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE alert_events;
