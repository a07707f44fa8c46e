-- Sign-ins that wait for their second factor; the id is the hex SHA-256 of the ticket.
-- +goose Up
CREATE TABLE sign_in_steps (
    id         TEXT NOT NULL,
    user_id    TEXT NOT NULL,
    method     TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    expires_at DATETIME NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT sign_in_steps_users FOREIGN KEY (user_id) REFERENCES users (id)
) WITHOUT ROWID;
CREATE INDEX sign_in_steps_user ON sign_in_steps (user_id, id);
CREATE INDEX sign_in_steps_expiry ON sign_in_steps (expires_at);

-- +goose Down
DROP TABLE sign_in_steps;
