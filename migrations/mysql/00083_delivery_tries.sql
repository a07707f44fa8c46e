-- Tries to send a notification.
-- +goose Up
CREATE TABLE delivery_tries (
    notification_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    number          INT NOT NULL,
    at              DATETIME(6) NOT NULL,
    duration_ms     BIGINT NOT NULL,
    status          INT NOT NULL,
    response        TEXT NOT NULL,
    error           VARCHAR(1000) NOT NULL,
    next_at         DATETIME(6) NULL,
    PRIMARY KEY (notification_id, number)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE delivery_tries;
