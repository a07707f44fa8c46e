-- What alerts may tell of, written in the transaction that caused it. unhandled is 1 until
-- the event has become part of incidents, then NULL. The key grows in the order of writing.
-- +goose Up
CREATE TABLE alert_events (
    id        TEXT NOT NULL,
    kind      INTEGER NOT NULL,
    cleared   BOOLEAN NOT NULL,
    at        DATETIME NOT NULL,
    app_id    TEXT NULL,
    group_id  TEXT NULL,
    job_id    TEXT NULL,
    task_id   TEXT NULL,
    node_id   TEXT NULL,
    server_id TEXT NULL,
    attempt   INTEGER NOT NULL,
    subject   TEXT NOT NULL,
    error     TEXT NOT NULL,
    detail    TEXT NOT NULL,
    rule_id   TEXT NULL,
    unhandled INTEGER NULL DEFAULT 1,
    PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE INDEX alert_events_unhandled ON alert_events (unhandled, id) WHERE unhandled IS NOT NULL;

-- +goose Down
DROP TABLE alert_events;
