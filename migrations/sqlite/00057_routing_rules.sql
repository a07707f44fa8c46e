-- What a routing strategy needs besides its name: a key, a node, labels; JSON.
-- +goose Up
ALTER TABLE node_groups ADD COLUMN routing_rule TEXT NULL;

-- +goose Down
ALTER TABLE node_groups DROP COLUMN routing_rule;
