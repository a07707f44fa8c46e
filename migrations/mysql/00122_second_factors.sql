-- Second factors of accounts: the sealed secret of one-time codes. One that is not confirmed
-- by a code yet counts for nothing.
-- +goose Up
CREATE TABLE second_factors (
    user_id      CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    secret       VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    last_step    BIGINT NOT NULL,
    failures     INT UNSIGNED NOT NULL,
    tried_at     DATETIME(6) NULL,
    created_at   DATETIME(6) NOT NULL,
    confirmed_at DATETIME(6) NULL,
    PRIMARY KEY (user_id),
    CONSTRAINT second_factors_users FOREIGN KEY (user_id) REFERENCES users (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE second_factors;
