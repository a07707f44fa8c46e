-- Accounts of people.
-- +goose Up
CREATE TABLE users (
    id            CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name          VARCHAR(255) NOT NULL,
    password_hash VARCHAR(255) NOT NULL,
    role          TINYINT UNSIGNED NOT NULL,
    locale        VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    time_zone     VARCHAR(255) NOT NULL,
    disabled_at   DATETIME(6) NULL,
    created_at    DATETIME(6) NOT NULL,
    updated_at    DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY users_name (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE users;
