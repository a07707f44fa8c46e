-- How people are reached.
-- +goose Up
CREATE TABLE contacts (
    user_id     CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    email       VARCHAR(255) NOT NULL,
    mobile      VARCHAR(255) NOT NULL,
    feishu_id   VARCHAR(255) NOT NULL,
    wecom_id    VARCHAR(255) NOT NULL,
    slack_id    VARCHAR(255) NOT NULL,
    telegram_id VARCHAR(255) NOT NULL,
    discord_id  VARCHAR(255) NOT NULL,
    updated_at  DATETIME(6) NOT NULL,
    PRIMARY KEY (user_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE contacts;
