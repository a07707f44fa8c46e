-- Roles in single apps, of accounts and of API tokens. A role in all apps stands in the
-- holder's own row.
-- +goose Up
CREATE TABLE app_roles (
    holder_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    app_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    role      TINYINT UNSIGNED NOT NULL,
    PRIMARY KEY (holder_id, app_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE app_roles;
