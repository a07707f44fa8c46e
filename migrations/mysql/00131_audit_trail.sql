-- Where a change came from, in which app it was made and what the object was before and
-- after, with an index for each way in which the trail is read.
-- +goose Up
ALTER TABLE audits
    ADD COLUMN actor_kind   VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    ADD COLUMN address      VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    ADD COLUMN request_id   VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    ADD COLUMN agent        VARCHAR(64) NOT NULL DEFAULT '',
    ADD COLUMN app_id       CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    ADD COLUMN object_name  VARCHAR(255) NOT NULL DEFAULT '',
    ADD COLUMN state_before MEDIUMTEXT NULL,
    ADD COLUMN state_after  MEDIUMTEXT NULL,
    ADD KEY audits_app (app_id, id),
    ADD KEY audits_actor (actor, id),
    ADD KEY audits_kind (kind, id),
    ADD KEY audits_action (action, id);

-- +goose Down
ALTER TABLE audits
    DROP KEY audits_app,
    DROP KEY audits_actor,
    DROP KEY audits_kind,
    DROP KEY audits_action,
    DROP COLUMN actor_kind,
    DROP COLUMN address,
    DROP COLUMN request_id,
    DROP COLUMN agent,
    DROP COLUMN app_id,
    DROP COLUMN object_name,
    DROP COLUMN state_before,
    DROP COLUMN state_after;
