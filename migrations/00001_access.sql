-- +goose Up

-- Which cluster the transaction numbers in events are of: see store.Events.
CREATE TABLE origin (
    one        boolean PRIMARY KEY DEFAULT true CHECK (one),
    epoch      uuid NOT NULL,
    cluster    bigint NOT NULL
);

CREATE TABLE tokens (
    id         uuid PRIMARY KEY,
    name       text NOT NULL,
    hash       bytea NOT NULL CHECK (length(hash) = 32),
    role       text NOT NULL CHECK (role IN ('admin', 'instructor', 'submitter', 'viewer')),
    scope      jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
);

CREATE TABLE idempotency_keys (
    token_id   uuid NOT NULL REFERENCES tokens ON DELETE CASCADE,
    key        text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
    body_hash  bytea NOT NULL,
    status     integer,
    body       bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (token_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- No foreign key: the log outlives what it speaks of.
CREATE TABLE audit_log (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL DEFAULT now(),
    token_id   uuid,
    action     text NOT NULL,
    object     text NOT NULL,
    reason     text NOT NULL DEFAULT '',
    detail     jsonb
);
CREATE INDEX audit_log_by_object ON audit_log (object, id);
