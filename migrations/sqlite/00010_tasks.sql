-- The queue and the whole history: one row a task, with its current attempt in it.
-- No foreign keys: each costs a look-up and a shared lock a row. Nothing that changes at
-- start or at progress is indexed. An index entry that a transition moves costs about as
-- much as half the row's own update, so only tasks_queue holds the state itself. The lists
-- hold shelf: 0 for what every task goes through (WAITING, RUNNING, SUCCEEDED), else the
-- state, so that a task that succeeds at once never moves in them; see shelf.go for how a
-- list by state is read. A sharded task's children share its job and the time part of its
-- id, so they are found by a range of ids. room holds a row's place in its page: a dispatch
-- and an end shorten it as they fill in other columns, so that the row never grows; a row
-- that grows splits its page, which doubles the cost of the update (MySQL only).
-- +goose Up
CREATE TABLE tasks (
    id                  TEXT NOT NULL,
    job_id              TEXT NOT NULL,
    app_id              TEXT NOT NULL,
    group_id            TEXT NOT NULL,
    state               INTEGER NOT NULL,
    shelf               INTEGER GENERATED ALWAYS AS (CASE WHEN state IN (1, 2, 4) THEN 0 ELSE state END) STORED,
    trigger_kind        INTEGER NOT NULL,
    priority            INTEGER NOT NULL,
    reason              TEXT NOT NULL DEFAULT '',
    scheduled_at        DATETIME NOT NULL,
    available_at        DATETIME NOT NULL,
    created_at          DATETIME NOT NULL,
    attempt             INTEGER NOT NULL DEFAULT 0,
    uncounted           INTEGER NOT NULL DEFAULT 0,
    max_attempts        INTEGER NOT NULL,
    lost_count          INTEGER NOT NULL DEFAULT 0,
    node_id             TEXT NULL,
    node_name           TEXT NOT NULL DEFAULT '',
    incarnation         TEXT NOT NULL DEFAULT '',
    dispatched_at       DATETIME NULL,
    started_at          DATETIME NULL,
    finished_at         DATETIME NULL,
    deadline_at         DATETIME NULL,
    outcome             INTEGER NOT NULL DEFAULT 0,
    error               TEXT NOT NULL DEFAULT (''),
    result              TEXT NULL,
    timeout_ms          INTEGER NOT NULL,
    parameters          TEXT NULL,
    checkpoint          TEXT NULL,
    progress            REAL NULL,
    progress_message    TEXT NOT NULL DEFAULT '',
    unique_key          TEXT NULL,
    root_id             TEXT NULL,
    parent_id           TEXT NULL,
    shard               INTEGER NULL,
    shards              INTEGER NULL,
    cancel_requested_at DATETIME NULL,
    cancel_reason       TEXT NOT NULL DEFAULT '',
    cancel_actor        TEXT NOT NULL DEFAULT '',
    room                TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (id)
);
CREATE INDEX tasks_queue ON tasks (group_id, state, priority, available_at, id, job_id);
CREATE INDEX tasks_job ON tasks (job_id, shelf, id);
CREATE INDEX tasks_shelf ON tasks (shelf, id);

-- +goose Down
DROP TABLE tasks;
