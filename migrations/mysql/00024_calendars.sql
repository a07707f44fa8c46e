-- days and quiet_windows are JSON lists; a calendar has at most 2,000 dated days, so that
-- it is read and replaced as one. applied_version lags behind version while the next fires
-- of its jobs are computed anew.
-- +goose Up
CREATE TABLE calendars (
    id              CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    app_id          CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name            VARCHAR(255) NOT NULL,
    description     TEXT NOT NULL,
    rest_days       INT NOT NULL,
    days            MEDIUMTEXT NULL,
    quiet_windows   MEDIUMTEXT NULL,
    version         INT NOT NULL,
    applied_version INT NOT NULL,
    created_at      DATETIME(6) NOT NULL,
    updated_at      DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY calendars_name (app_id, name),
    CONSTRAINT calendars_apps FOREIGN KEY (app_id) REFERENCES apps (id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- +goose Down
DROP TABLE calendars;
