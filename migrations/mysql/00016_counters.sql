-- How many tasks of a group are in a state: the sum over slots. Writers of different
-- kinds and servers use different slots, so that they never wait for one another.
-- +goose Up
CREATE TABLE counters (
    group_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state    TINYINT UNSIGNED NOT NULL,
    slot     SMALLINT NOT NULL,
    n        BIGINT NOT NULL,
    PRIMARY KEY (group_id, state, slot)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE counters;
