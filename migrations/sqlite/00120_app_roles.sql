-- Roles in single apps, of accounts and of API tokens. A role in all apps stands in the
-- holder's own row.
-- +goose Up
CREATE TABLE app_roles (
    holder_id TEXT NOT NULL,
    app_id    TEXT NOT NULL,
    role      INTEGER NOT NULL,
    PRIMARY KEY (holder_id, app_id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE app_roles;
