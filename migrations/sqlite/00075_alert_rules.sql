-- Rules of alerts: what is a problem, and whom to tell. spec is a JSON document (models.AlertSpec);
-- there are at most 500, which are read as one.
-- +goose Up
CREATE TABLE alert_rules (
    id          TEXT NOT NULL,
    name        TEXT NOT NULL,
    description TEXT NOT NULL,
    enabled     BOOLEAN NOT NULL,
    spec        TEXT NOT NULL,
    version     INTEGER NOT NULL,
    created_by  TEXT NOT NULL,
    created_at  DATETIME NOT NULL,
    updated_at  DATETIME NOT NULL,
    PRIMARY KEY (id)
);
CREATE UNIQUE INDEX alert_rules_name ON alert_rules (name);

-- +goose Down
DROP TABLE alert_rules;
