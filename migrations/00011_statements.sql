-- +goose Up

-- What workers have made of statements in TeX, by the SHA-256 of the source. The HTML
-- is as pandoc wrote it: whoever shows it cleans it (problems/statement).
CREATE TABLE statement_pages (
    source     text PRIMARY KEY CHECK (source ~ '^[0-9a-f]{64}$'),
    html       text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

