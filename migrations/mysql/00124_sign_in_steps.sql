-- Sign-ins that wait for their second factor; the id is the hex SHA-256 of the ticket.
-- +goose Up
CREATE TABLE sign_in_steps (
    id         CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    user_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    method     VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    KEY sign_in_steps_user (user_id, id),
    KEY sign_in_steps_expiry (expires_at),
    CONSTRAINT sign_in_steps_users FOREIGN KEY (user_id) REFERENCES users (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE sign_in_steps;
