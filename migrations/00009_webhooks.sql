-- +goose Up

-- Who wants to be told of events. Lists are of names, and empty ones hold all;
-- scope is that of the token it was made with. enabled: it is told; failing: we
-- have switched it off, and what happens is kept for it; off: it is told of
-- nothing. The secret is sealed with the key of that id.
CREATE TABLE webhooks (
    id            uuid PRIMARY KEY,
    url           text NOT NULL,
    events        jsonb NOT NULL,
    problems      jsonb NOT NULL DEFAULT '[]',
    contests      jsonb NOT NULL DEFAULT '[]',
    scope         jsonb NOT NULL DEFAULT '{}',
    token_id      uuid NOT NULL REFERENCES tokens,
    state         text NOT NULL CHECK (state IN ('enabled', 'failing', 'off')),
    reason        text NOT NULL DEFAULT '',
    secret        bytea NOT NULL,
    key_id        text NOT NULL,
    old_secret    bytea,       -- signs too until old_until, so that a receiver has time to change
    old_until     timestamptz,
    failing_since timestamptz, -- of the first failure since the last success
    given_up      integer NOT NULL DEFAULT 0, -- deliveries in a row
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- Written in the transaction of the event. What a delivery says is looked up when
-- it is first tried, and kept. next_at is when it is due, and while it is tried
-- when that try is taken for dead; tries fences the writes of a try.
CREATE TABLE webhook_deliveries (
    id            uuid PRIMARY KEY,
    webhook_id    uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    type          text NOT NULL,
    submission_id uuid, -- none: of a contest, or a ping
    judgement_id  uuid,
    attempt       integer NOT NULL DEFAULT 0,
    ordinal       integer NOT NULL DEFAULT 0,
    problem       text NOT NULL DEFAULT '',
    contest       text NOT NULL DEFAULT '',
    state         text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
    tries         integer NOT NULL DEFAULT 0,
    failures      integer NOT NULL DEFAULT 0, -- since it was last asked for
    next_at       timestamptz NOT NULL DEFAULT now(),
    body          bytea,
    created_at    timestamptz NOT NULL DEFAULT now(),
    ended_at      timestamptz
);
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries (webhook_id, state, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at, id) WHERE state = 'waiting';
ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE webhook_tries (
    delivery_id uuid NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
    number      integer NOT NULL,
    at          timestamptz NOT NULL,
    duration_ns bigint NOT NULL,
    status      integer NOT NULL DEFAULT 0, -- 0: there was no answer
    error       text NOT NULL DEFAULT '',
    headers     jsonb NOT NULL DEFAULT '{}',
    answer      text NOT NULL DEFAULT '',
    PRIMARY KEY (delivery_id, number)
);
