-- The jobs of a calendar, whose next fires an edit of it computes anew.
-- +goose Up
CREATE INDEX jobs_calendar ON jobs (calendar_id, id);

-- +goose Down
DROP INDEX jobs_calendar;
