-- Lists of incidents by state or event are read in the order of an index.
-- +goose Up
ALTER TABLE incidents ADD INDEX incidents_newest (state, id), ADD INDEX incidents_event (event, id);

-- +goose Down
ALTER TABLE incidents DROP INDEX incidents_newest, DROP INDEX incidents_event;
