-- +goose Up

-- The CPU limit that verification found for a package that gives none; 0: none was
-- found. Settings go before it, and no later version takes it over.
ALTER TABLE problem_versions ADD COLUMN calibrated_ns bigint NOT NULL DEFAULT 0 CHECK (calibrated_ns >= 0);

-- A verification of a version. Of each version the newest counts. Like a judgement
-- it is one worker's at a time, and every write by a worker is fenced by attempt and
-- worker. step counts its writes: who follows it sees by that what is new.
CREATE TABLE verifications (
    id         uuid PRIMARY KEY,
    version_id uuid NOT NULL REFERENCES problem_versions ON DELETE CASCADE,
    state      text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
    attempt    integer NOT NULL DEFAULT 0,
    deaths     integer NOT NULL DEFAULT 0,
    worker     uuid,
    not_before timestamptz,
    publish    boolean NOT NULL DEFAULT false, -- the version, if this finds no error
    token_id   uuid REFERENCES tokens,
    reason     text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    ended_at   timestamptz,
    step       bigint NOT NULL DEFAULT 0,
    done       integer NOT NULL DEFAULT 0,
    total      integer NOT NULL DEFAULT 0,
    doing      text NOT NULL DEFAULT '',
    findings   jsonb NOT NULL DEFAULT '[]', -- of reading the package
    ok         boolean,                     -- nothing is worse than a warning; null: not known
    report     jsonb,
    fault      text NOT NULL DEFAULT '',    -- why there is no report: we failed
    CHECK ((state = 'done') = (report IS NOT NULL)),
    CHECK ((state = 'done') = (ok IS NOT NULL)),
    CHECK (state <> 'running' OR worker IS NOT NULL)
);
CREATE INDEX verifications_by_version ON verifications (version_id, id);
CREATE UNIQUE INDEX verifications_one ON verifications (version_id) WHERE state IN ('queued', 'running');
CREATE INDEX verifications_open ON verifications (id) WHERE state IN ('queued', 'running');
