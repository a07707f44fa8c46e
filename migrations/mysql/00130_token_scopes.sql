-- What an API token is limited to: names of scopes with commas between; empty: all that its
-- roles allow.
-- +goose Up
ALTER TABLE api_tokens
    ADD COLUMN scopes VARCHAR(512) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE api_tokens
    DROP COLUMN scopes;
