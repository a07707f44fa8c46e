-- Lists of incidents by state or event are read in the order of an index.
-- +goose Up
CREATE INDEX incidents_newest ON incidents (state, id);
CREATE INDEX incidents_event ON incidents (event, id);

-- +goose Down
DROP INDEX incidents_event;
DROP INDEX incidents_newest;
