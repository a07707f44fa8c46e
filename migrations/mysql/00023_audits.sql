-- What people and programs changed.
-- +goose Up
CREATE TABLE audits (
    id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    at     DATETIME(6) NOT NULL,
    actor  VARCHAR(255) NOT NULL,
    action VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kind   VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    object VARCHAR(255) NOT NULL,
    detail MEDIUMTEXT NULL,
    PRIMARY KEY (id),
    KEY audits_object (kind, object, id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE audits;
