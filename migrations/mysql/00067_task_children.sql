-- Tasks that others are spread over: each is pinned to its node, and lies on a shelf of its
-- own (100), so that lists and counts of a job's tasks show the parent alone. They are found by
-- a range of ids (models.ChildID), so they need no index. Only children have a shard, which is a number:
-- MariaDB takes no CHAR column here.
-- +goose Up
ALTER TABLE tasks
    ADD COLUMN pinned_to VARCHAR(255) NULL,
    MODIFY COLUMN shelf TINYINT UNSIGNED GENERATED ALWAYS AS (IF(shard IS NOT NULL, 100, IF(state IN (1, 2, 4), 0, state))) STORED;

-- +goose Down
ALTER TABLE tasks
    DROP COLUMN pinned_to,
    MODIFY COLUMN shelf TINYINT UNSIGNED GENERATED ALWAYS AS (IF(state IN (1, 2, 4), 0, state)) STORED;
