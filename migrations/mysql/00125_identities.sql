-- Who accounts are at an identity provider; the id is the hex SHA-256 of issuer, NUL and
-- subject, which are compared byte by byte so. managed: the roles follow the provider's groups.
-- +goose Up
CREATE TABLE identities (
    id           CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    user_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    issuer       VARCHAR(512) NOT NULL,
    subject      VARCHAR(255) NOT NULL,
    label        VARCHAR(255) NOT NULL,
    managed      TINYINT UNSIGNED NOT NULL,
    created_at   DATETIME(6) NOT NULL,
    last_used_at DATETIME(6) NULL,
    PRIMARY KEY (id),
    KEY identities_user (user_id, id),
    CONSTRAINT identities_users FOREIGN KEY (user_id) REFERENCES users (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE identities;
