-- Second factors of accounts: the sealed secret of one-time codes. One that is not confirmed
-- by a code yet counts for nothing.
-- +goose Up
CREATE TABLE second_factors (
    user_id      TEXT NOT NULL,
    secret       TEXT NOT NULL,
    last_step    INTEGER NOT NULL,
    failures     INTEGER NOT NULL,
    tried_at     DATETIME NULL,
    created_at   DATETIME NOT NULL,
    confirmed_at DATETIME NULL,
    PRIMARY KEY (user_id),
    CONSTRAINT second_factors_users FOREIGN KEY (user_id) REFERENCES users (id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE second_factors;
