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
    id                  CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    job_id              CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    app_id              CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    group_id            CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state               TINYINT UNSIGNED NOT NULL,
    shelf               TINYINT UNSIGNED GENERATED ALWAYS AS (IF(state IN (1, 2, 4), 0, state)) STORED,
    trigger_kind        TINYINT UNSIGNED NOT NULL,
    priority            TINYINT UNSIGNED NOT NULL,
    reason              VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    scheduled_at        DATETIME(6) NOT NULL,
    available_at        DATETIME(6) NOT NULL,
    created_at          DATETIME(6) NOT NULL,
    attempt             INT NOT NULL DEFAULT 0,
    uncounted           INT NOT NULL DEFAULT 0,
    max_attempts        INT NOT NULL,
    lost_count          INT NOT NULL DEFAULT 0,
    node_id             CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    node_name           VARCHAR(255) NOT NULL DEFAULT '',
    incarnation         VARCHAR(255) NOT NULL DEFAULT '',
    dispatched_at       DATETIME(6) NULL,
    started_at          DATETIME(6) NULL,
    finished_at         DATETIME(6) NULL,
    deadline_at         DATETIME(6) NULL,
    outcome             TINYINT UNSIGNED NOT NULL DEFAULT 0,
    error               TEXT NOT NULL DEFAULT (''),
    result              MEDIUMTEXT NULL,
    timeout_ms          BIGINT NOT NULL,
    parameters          MEDIUMTEXT NULL,
    checkpoint          MEDIUMTEXT NULL,
    progress            DOUBLE NULL,
    progress_message    VARCHAR(1000) NOT NULL DEFAULT '',
    unique_key          VARCHAR(255) NULL,
    root_id             CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    parent_id           CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    shard               INT NULL,
    shards              INT NULL,
    cancel_requested_at DATETIME(6) NULL,
    cancel_reason       VARCHAR(1000) NOT NULL DEFAULT '',
    cancel_actor        VARCHAR(255) NOT NULL DEFAULT '',
    room                VARCHAR(120) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '........................................................................................................................',
    PRIMARY KEY (id),
    KEY tasks_queue (group_id, state, priority, available_at, id, job_id),
    KEY tasks_job (job_id, shelf, id),
    KEY tasks_shelf (shelf, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE tasks;
