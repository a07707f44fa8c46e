-- days and quiet_windows are JSON lists; a calendar has at most 2,000 dated days, so that
-- it is read and replaced as one. applied_version lags behind version while the next fires
-- of its jobs are computed anew.
-- +goose Up
CREATE TABLE calendars (
    id              TEXT NOT NULL,
    app_id          TEXT NOT NULL,
    name            TEXT NOT NULL,
    description     TEXT NOT NULL,
    rest_days       INTEGER NOT NULL,
    days            TEXT NULL,
    quiet_windows   TEXT NULL,
    version         INTEGER NOT NULL,
    applied_version INTEGER NOT NULL,
    created_at      DATETIME NOT NULL,
    updated_at      DATETIME NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT calendars_apps FOREIGN KEY (app_id) REFERENCES apps (id)
);
CREATE UNIQUE INDEX calendars_name ON calendars (app_id, name);

-- +goose Down
DROP TABLE calendars;
