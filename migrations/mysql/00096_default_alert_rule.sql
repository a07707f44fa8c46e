-- The rule of a fresh installation. Once it is deleted it stays away. The document is that
-- of models.AlertSpec; a test reads it.
-- +goose Up
INSERT IGNORE INTO alert_rules (id, name, description, enabled, spec, version, created_by, created_at, updated_at) VALUES
    ('00000000000000000000000001', 'default', 'Made with the installation. Retries exhausted, lost attempts and missed fires: at once and critical from 22:00 to 08:00 UTC, else a warning in a digest at 12:00 and 18:00. It tells every channel; until there is one, incidents are only recorded.',
     1, '{"scope":{"kind":1},"conditions":[{"event":2,"count":1},{"event":5,"count":1},{"event":8,"count":1}],"zone":"UTC","severity":2,"windows":[{"from":"22:00","to":"08:00","severity":3}],"routes":[{"severities":[3]},{"severities":[2,1],"digestAt":["12:00","18:00"]}],"repeatMs":14400000,"maxPerHour":20,"groupWaitMs":10000,"groupIntervalMs":300000,"notices":[1,2,3]}', 1, 'belfry', '2026-01-01 00:00:00', '2026-01-01 00:00:00');

-- +goose Down
DELETE FROM alert_rules WHERE id = '00000000000000000000000001';
