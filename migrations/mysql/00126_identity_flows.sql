-- Browsers that are at the identity provider; the id is the hex SHA-256 of the cookie's secret.
-- user_id: whose account is to be linked; NULL: somebody signs in.
-- +goose Up
CREATE TABLE identity_flows (
    id         CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    user_id    CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NULL,
    return_to  VARCHAR(2000) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    KEY identity_flows_expiry (expires_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE identity_flows;
