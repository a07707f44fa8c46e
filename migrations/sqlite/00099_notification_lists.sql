-- Lists of a channel's or a rule's notifications in some states are read in the order of an index.
-- +goose Up
DROP INDEX notifications_channel;
DROP INDEX notifications_rule;
CREATE INDEX notifications_channel ON notifications (channel_id, state, id);
CREATE INDEX notifications_rule ON notifications (rule_id, state, id);

-- +goose Down
DROP INDEX notifications_rule;
DROP INDEX notifications_channel;
CREATE INDEX notifications_channel ON notifications (channel_id, id);
CREATE INDEX notifications_rule ON notifications (rule_id, id);
