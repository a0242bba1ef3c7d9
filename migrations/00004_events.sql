-- +goose Up

-- The order is (xid, id): all that commits later has a higher xid than all that
-- had ended when a reader looked.
CREATE TABLE events (
    xid           xid8 NOT NULL DEFAULT pg_current_xact_id(),
    id            bigint GENERATED ALWAYS AS IDENTITY,
    type          text NOT NULL,
    submission_id uuid NOT NULL,
    judgement_id  uuid NOT NULL,
    attempt       integer NOT NULL,
    ordinal       integer NOT NULL,
    problem       text NOT NULL,
    token_id      uuid NOT NULL,
    submitter_id  text NOT NULL,
    at            timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (xid, id)
);
CREATE INDEX events_by_submission ON events (submission_id, xid, id);
CREATE INDEX events_by_age ON events (at);
