-- How people are reached.
-- +goose Up
CREATE TABLE contacts (
    user_id     TEXT NOT NULL,
    email       TEXT NOT NULL,
    mobile      TEXT NOT NULL,
    feishu_id   TEXT NOT NULL,
    wecom_id    TEXT NOT NULL,
    slack_id    TEXT NOT NULL,
    telegram_id TEXT NOT NULL,
    discord_id  TEXT NOT NULL,
    updated_at  DATETIME NOT NULL,
    PRIMARY KEY (user_id)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE contacts;
