-- For conditions of several events within a window.
-- +goose Up
CREATE INDEX alert_events_subject ON alert_events (subject, kind, id);

-- +goose Down
DROP INDEX alert_events_subject;
