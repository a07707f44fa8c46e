-- One-time links; the id is the hex SHA-256 of the link's secret.
-- +goose Up
CREATE TABLE sign_in_links (
    id         TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    used_at    DATETIME NULL,
    PRIMARY KEY (id),
    CONSTRAINT sign_in_links_users FOREIGN KEY (user_id) REFERENCES users (id)
) WITHOUT ROWID;
CREATE INDEX sign_in_links_user ON sign_in_links (user_id, id);

-- +goose Down
DROP TABLE sign_in_links;
