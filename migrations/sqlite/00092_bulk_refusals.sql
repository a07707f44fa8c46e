-- Tasks that a bulk operation left as they are, and why; the first thousand of each.
-- +goose Up
CREATE TABLE bulk_refusals (
    bulk_id TEXT NOT NULL,
    task_id TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (bulk_id, task_id)
);

-- +goose Down
DROP TABLE bulk_refusals;
