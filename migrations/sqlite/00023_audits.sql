-- What people and programs changed.
-- +goose Up
CREATE TABLE audits (
    id     TEXT NOT NULL,
    at     DATETIME NOT NULL,
    actor  TEXT NOT NULL,
    action TEXT NOT NULL,
    kind   TEXT NOT NULL,
    object TEXT NOT NULL,
    detail TEXT NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE INDEX audits_object ON audits (kind, object, id);

-- +goose Down
DROP TABLE audits;
