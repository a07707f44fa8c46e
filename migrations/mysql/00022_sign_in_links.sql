-- One-time links; the id is the hex SHA-256 of the link's secret.
-- +goose Up
CREATE TABLE sign_in_links (
    id         CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    user_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    used_at    DATETIME(6) NULL,
    PRIMARY KEY (id),
    KEY sign_in_links_user (user_id, id),
    CONSTRAINT sign_in_links_users FOREIGN KEY (user_id) REFERENCES users (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE sign_in_links;
