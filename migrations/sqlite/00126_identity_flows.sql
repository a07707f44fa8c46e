-- Browsers that are at the identity provider; the id is the hex SHA-256 of the cookie's secret.
-- user_id: whose account is to be linked; NULL: somebody signs in.
-- +goose Up
CREATE TABLE identity_flows (
    id         TEXT NOT NULL,
    user_id    TEXT NULL,
    return_to  TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID;
CREATE INDEX identity_flows_expiry ON identity_flows (expires_at);

-- +goose Down
DROP TABLE identity_flows;
