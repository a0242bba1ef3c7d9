-- +goose Up

CREATE TABLE workers (
    id           uuid PRIMARY KEY,
    name         text NOT NULL,
    slots        integer NOT NULL CHECK (slots > 0),
    build        text NOT NULL DEFAULT '',
    state        text NOT NULL CHECK (state IN ('active', 'cordoned', 'draining', 'gone')),
    started_at   timestamptz NOT NULL DEFAULT now(),
    heartbeat_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE submissions (
    id             uuid PRIMARY KEY,
    problem        text NOT NULL REFERENCES problems,
    version_id     uuid NOT NULL REFERENCES problem_versions,
    language       text NOT NULL,
    entry          text NOT NULL DEFAULT '',
    submitter_id   text NOT NULL DEFAULT '',
    submitter_name text NOT NULL DEFAULT '',
    submitter_team text NOT NULL DEFAULT '',
    token_id       uuid NOT NULL REFERENCES tokens,
    priority       smallint NOT NULL CHECK (priority BETWEEN 0 AND 2),
    created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX submissions_by_problem ON submissions (problem, id);
CREATE INDEX submissions_by_person ON submissions (token_id, submitter_id, id);

CREATE TABLE submission_files (
    submission_id uuid NOT NULL REFERENCES submissions ON DELETE CASCADE,
    ordinal       smallint NOT NULL,
    name          text NOT NULL,
    data          bytea NOT NULL,
    PRIMARY KEY (submission_id, ordinal)
);

-- person is a hash of token and submitter: of even length, and spread evenly.
-- attempt and worker fence every write; not_before is null while it is ready.
CREATE TABLE judgements (
    id               uuid PRIMARY KEY,
    submission_id    uuid NOT NULL REFERENCES submissions ON DELETE CASCADE,
    version_id       uuid NOT NULL REFERENCES problem_versions,
    person           uuid NOT NULL,
    priority         smallint NOT NULL CHECK (priority BETWEEN 0 AND 2),
    state            text NOT NULL CHECK (state IN ('queued', 'compiling', 'running', 'judged', 'cancelled')),
    attempt          integer NOT NULL DEFAULT 0,
    deaths           integer NOT NULL DEFAULT 0, -- workers that died while they had it
    worker           uuid,
    not_before       timestamptz,
    created_at       timestamptz NOT NULL DEFAULT now(),
    started_at       timestamptz,
    judged_at        timestamptz,
    language_version text NOT NULL DEFAULT '',
    image_id         text NOT NULL DEFAULT '',
    verdict          text NOT NULL DEFAULT '',
    score            double precision,
    hit_limit        text NOT NULL DEFAULT '',
    cpu_ns           bigint NOT NULL DEFAULT 0,
    wall_ns          bigint NOT NULL DEFAULT 0,
    memory_bytes     bigint NOT NULL DEFAULT 0,
    message          text NOT NULL DEFAULT '',
    compilation      jsonb,
    groups           jsonb,
    review           jsonb,
    CHECK ((state = 'judged') = (verdict <> '')),
    CHECK (state NOT IN ('compiling', 'running') OR worker IS NOT NULL)
);
CREATE INDEX judgements_by_submission ON judgements (submission_id, id);
CREATE INDEX judgements_ready ON judgements (priority, person, id) WHERE state = 'queued' AND not_before IS NULL;
CREATE INDEX judgements_delayed ON judgements (not_before) WHERE state = 'queued' AND not_before IS NOT NULL;
CREATE INDEX judgements_running ON judgements (worker, person) WHERE state IN ('compiling', 'running');
CREATE INDEX judgements_judged ON judgements (judged_at) WHERE state = 'judged';
-- Rows leave the small indexes above all the time; dead entries would be walked
-- over until a fifth of all judgements had changed.
ALTER TABLE judgements SET (autovacuum_vacuum_scale_factor = 0.005, autovacuum_analyze_scale_factor = 0.01);

CREATE TABLE runs (
    judgement_id uuid NOT NULL REFERENCES judgements ON DELETE CASCADE,
    ordinal      integer NOT NULL CHECK (ordinal > 0),
    "case"       text NOT NULL,
    verdict      text NOT NULL,
    hit_limit    text NOT NULL DEFAULT '',
    exit_code    integer NOT NULL,
    signal       integer NOT NULL,
    cpu_ns       bigint NOT NULL,
    wall_ns      bigint NOT NULL,
    memory_bytes bigint NOT NULL,
    score        double precision,
    message      text NOT NULL DEFAULT '',
    PRIMARY KEY (judgement_id, ordinal)
);

-- Time that a person's judgements took, each halved for every minute that has
-- passed since. load is its natural logarithm at the epoch, so that it need not
-- be rewritten as time passes: see store.Take.
CREATE TABLE shares (
    person uuid PRIMARY KEY,
    load   double precision NOT NULL
);
ALTER TABLE shares SET (fillfactor = 70);
