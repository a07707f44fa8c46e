-- Lists of a channel's or a rule's notifications in some states are read in the order of an index.
-- +goose Up
ALTER TABLE notifications DROP INDEX notifications_channel, DROP INDEX notifications_rule,
    ADD INDEX notifications_channel (channel_id, state, id), ADD INDEX notifications_rule (rule_id, state, id);

-- +goose Down
ALTER TABLE notifications DROP INDEX notifications_channel, DROP INDEX notifications_rule,
    ADD INDEX notifications_channel (channel_id, id), ADD INDEX notifications_rule (rule_id, id);
