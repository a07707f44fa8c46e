-- Where a change came from, in which app it was made and what the object was before and
-- after, with an index for each way in which the trail is read.
-- +goose Up
ALTER TABLE audits ADD COLUMN actor_kind TEXT NOT NULL DEFAULT '';
ALTER TABLE audits ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE audits ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
ALTER TABLE audits ADD COLUMN agent TEXT NOT NULL DEFAULT '';
ALTER TABLE audits ADD COLUMN app_id TEXT NOT NULL DEFAULT '';
ALTER TABLE audits ADD COLUMN object_name TEXT NOT NULL DEFAULT '';
ALTER TABLE audits ADD COLUMN state_before TEXT NULL;
ALTER TABLE audits ADD COLUMN state_after TEXT NULL;
CREATE INDEX audits_app ON audits (app_id, id);
CREATE INDEX audits_actor ON audits (actor, id);
CREATE INDEX audits_kind ON audits (kind, id);
CREATE INDEX audits_action ON audits (action, id);

-- +goose Down
DROP INDEX audits_app;
DROP INDEX audits_actor;
DROP INDEX audits_kind;
DROP INDEX audits_action;
ALTER TABLE audits DROP COLUMN actor_kind;
ALTER TABLE audits DROP COLUMN address;
ALTER TABLE audits DROP COLUMN request_id;
ALTER TABLE audits DROP COLUMN agent;
ALTER TABLE audits DROP COLUMN app_id;
ALTER TABLE audits DROP COLUMN object_name;
ALTER TABLE audits DROP COLUMN state_before;
ALTER TABLE audits DROP COLUMN state_after;
