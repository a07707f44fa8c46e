-- Tasks that others are spread over: each is pinned to its node, and lies on a shelf of its
-- own (100), so that lists and counts of a job's tasks show the parent alone. They are found by
-- a range of ids (models.ChildID), so they need no index. Only children have a shard, which is a number:
-- MariaDB takes no CHAR column here. SQLite adds generated columns only
-- as virtual ones; the indexes hold the value all the same.
-- +goose Up
ALTER TABLE tasks ADD COLUMN pinned_to TEXT NULL;
DROP INDEX tasks_job;
DROP INDEX tasks_shelf;
ALTER TABLE tasks DROP COLUMN shelf;
ALTER TABLE tasks ADD COLUMN shelf INTEGER GENERATED ALWAYS AS (CASE WHEN shard IS NOT NULL THEN 100 WHEN state IN (1, 2, 4) THEN 0 ELSE state END) VIRTUAL;
CREATE INDEX tasks_job ON tasks (job_id, shelf, id);
CREATE INDEX tasks_shelf ON tasks (shelf, id);

-- +goose Down
DROP INDEX tasks_job;
DROP INDEX tasks_shelf;
ALTER TABLE tasks DROP COLUMN shelf;
ALTER TABLE tasks ADD COLUMN shelf INTEGER GENERATED ALWAYS AS (CASE WHEN state IN (1, 2, 4) THEN 0 ELSE state END) VIRTUAL;
CREATE INDEX tasks_job ON tasks (job_id, shelf, id);
CREATE INDEX tasks_shelf ON tasks (shelf, id);
ALTER TABLE tasks DROP COLUMN pinned_to;
