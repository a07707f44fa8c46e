-- How many tasks of a group are in a state: the sum over slots. Writers of different
-- kinds and servers use different slots, so that they never wait for one another.
-- +goose Up
CREATE TABLE counters (
    group_id TEXT NOT NULL,
    state    INTEGER NOT NULL,
    slot     INTEGER NOT NULL,
    n        INTEGER NOT NULL,
    PRIMARY KEY (group_id, state, slot)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE counters;
