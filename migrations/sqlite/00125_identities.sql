-- Who accounts are at an identity provider; the id is the hex SHA-256 of issuer, NUL and
-- subject, which are compared byte by byte so. managed: the roles follow the provider's groups.
-- +goose Up
CREATE TABLE identities (
    id           TEXT NOT NULL,
    user_id      TEXT NOT NULL,
    issuer       TEXT NOT NULL,
    subject      TEXT NOT NULL,
    label        TEXT NOT NULL,
    managed      INTEGER NOT NULL,
    created_at   DATETIME NOT NULL,
    last_used_at DATETIME NULL,
    PRIMARY KEY (id),
    CONSTRAINT identities_users FOREIGN KEY (user_id) REFERENCES users (id)
) WITHOUT ROWID;
CREATE INDEX identities_user ON identities (user_id, id);

-- +goose Down
DROP TABLE identities;
