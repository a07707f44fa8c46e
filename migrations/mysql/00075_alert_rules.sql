-- Rules of alerts: what is a problem, and whom to tell. spec is a JSON document (models.AlertSpec);
-- there are at most 500, which are read as one.
-- +goose Up
CREATE TABLE alert_rules (
    id          CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name        VARCHAR(255) NOT NULL,
    description TEXT NOT NULL,
    enabled     BOOLEAN NOT NULL,
    spec        MEDIUMTEXT NOT NULL,
    version     INT NOT NULL,
    created_by  VARCHAR(255) NOT NULL,
    created_at  DATETIME(6) NOT NULL,
    updated_at  DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY alert_rules_name (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE alert_rules;
