-- All partitions exist from the start, without an owner.
-- +goose Up
INSERT INTO partitions (id, epoch, owner_id, leased_to) VALUES
    (0, 0, '', NULL), (1, 0, '', NULL), (2, 0, '', NULL), (3, 0, '', NULL),
    (4, 0, '', NULL), (5, 0, '', NULL), (6, 0, '', NULL), (7, 0, '', NULL),
    (8, 0, '', NULL), (9, 0, '', NULL), (10, 0, '', NULL), (11, 0, '', NULL),
    (12, 0, '', NULL), (13, 0, '', NULL), (14, 0, '', NULL), (15, 0, '', NULL),
    (16, 0, '', NULL), (17, 0, '', NULL), (18, 0, '', NULL), (19, 0, '', NULL),
    (20, 0, '', NULL), (21, 0, '', NULL), (22, 0, '', NULL), (23, 0, '', NULL),
    (24, 0, '', NULL), (25, 0, '', NULL), (26, 0, '', NULL), (27, 0, '', NULL),
    (28, 0, '', NULL), (29, 0, '', NULL), (30, 0, '', NULL), (31, 0, '', NULL),
    (32, 0, '', NULL), (33, 0, '', NULL), (34, 0, '', NULL), (35, 0, '', NULL),
    (36, 0, '', NULL), (37, 0, '', NULL), (38, 0, '', NULL), (39, 0, '', NULL),
    (40, 0, '', NULL), (41, 0, '', NULL), (42, 0, '', NULL), (43, 0, '', NULL),
    (44, 0, '', NULL), (45, 0, '', NULL), (46, 0, '', NULL), (47, 0, '', NULL),
    (48, 0, '', NULL), (49, 0, '', NULL), (50, 0, '', NULL), (51, 0, '', NULL),
    (52, 0, '', NULL), (53, 0, '', NULL), (54, 0, '', NULL), (55, 0, '', NULL),
    (56, 0, '', NULL), (57, 0, '', NULL), (58, 0, '', NULL), (59, 0, '', NULL),
    (60, 0, '', NULL), (61, 0, '', NULL), (62, 0, '', NULL), (63, 0, '', NULL);

-- +goose Down
DELETE FROM partitions;
