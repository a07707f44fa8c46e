-- Incidents: one problem from its opening to its end. open_key is the fingerprint while it is
-- not resolved, so that of one problem at most one is open.
-- +goose Up
CREATE TABLE incidents (
    id              TEXT NOT NULL,
    rule_id         TEXT NOT NULL,
    rule_name       TEXT NOT NULL,
    event           INTEGER NOT NULL,
    condition_data  TEXT NOT NULL,
    subject         TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    open_key        TEXT NULL,
    title           TEXT NOT NULL,
    severity        INTEGER NOT NULL,
    state           INTEGER NOT NULL,
    flapping        BOOLEAN NOT NULL,
    silence_id      TEXT NULL,
    app_id          TEXT NULL,
    group_id        TEXT NULL,
    job_id          TEXT NULL,
    node_id         TEXT NULL,
    server_id       TEXT NULL,
    opened_at       DATETIME NOT NULL,
    last_at         DATETIME NOT NULL,
    count           INTEGER NOT NULL,
    event_entries   INTEGER NOT NULL,
    entries         INTEGER NOT NULL,
    acknowledged_at DATETIME NULL,
    acknowledged_by TEXT NOT NULL,
    resolved_at     DATETIME NULL,
    resolution      TEXT NOT NULL,
    recovered       BOOLEAN NOT NULL,
    last_task_id    TEXT NULL,
    last_attempt    INTEGER NOT NULL,
    last_error      TEXT NOT NULL,
    last_detail     TEXT NOT NULL,
    told            TEXT NULL,
    flips           TEXT NULL,
    escalate_at     DATETIME NULL,
    repeat_at       DATETIME NULL,
    check_at        DATETIME NULL,
    next_at         DATETIME NULL,
    PRIMARY KEY (id)
);
CREATE UNIQUE INDEX incidents_open ON incidents (open_key);
CREATE INDEX incidents_fingerprint ON incidents (fingerprint, resolved_at);
CREATE INDEX incidents_state ON incidents (state, severity, id);
CREATE INDEX incidents_next ON incidents (next_at);
CREATE INDEX incidents_resolved ON incidents (resolved_at);
CREATE INDEX incidents_rule ON incidents (rule_id, state, id);
CREATE INDEX incidents_job ON incidents (job_id, id);
CREATE INDEX incidents_group ON incidents (group_id, id);
CREATE INDEX incidents_app ON incidents (app_id, id);

-- +goose Down
DROP TABLE incidents;
