-- +goose Up

-- settings are judge.Contest under the names of its fields, without what has
-- columns or tables of its own. revision counts changes of all of it, contestants
-- too.
CREATE TABLE contests (
    name        text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    kind        text NOT NULL CHECK (kind IN ('icpc', 'ioi', 'practice')),
    start_at    timestamptz,
    duration_ns bigint NOT NULL DEFAULT 0 CHECK (duration_ns >= 0),
    settings    jsonb NOT NULL,
    revision    bigint NOT NULL DEFAULT 1,
    created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE contest_problems (
    contest         text NOT NULL REFERENCES contests ON DELETE CASCADE,
    problem         text NOT NULL REFERENCES problems,
    label           text NOT NULL CHECK (label <> ''),
    color           text NOT NULL DEFAULT '',
    rgb             text NOT NULL DEFAULT '',
    languages       jsonb NOT NULL DEFAULT '[]',
    max_submissions integer NOT NULL DEFAULT 0 CHECK (max_submissions >= 0),
    points          double precision NOT NULL DEFAULT 0 CHECK (points >= 0),
    PRIMARY KEY (contest, problem),
    UNIQUE (contest, label) DEFERRABLE -- at the end of a statement, which may swap two
);
CREATE INDEX contest_problems_by_problem ON contest_problems (problem);

CREATE TABLE contestants (
    contest      text NOT NULL REFERENCES contests ON DELETE CASCADE,
    id           text NOT NULL CHECK (octet_length(id) BETWEEN 1 AND 255),
    name         text NOT NULL DEFAULT '',
    affiliation  text NOT NULL DEFAULT '',
    country      text NOT NULL DEFAULT '',
    groups       jsonb NOT NULL DEFAULT '[]',
    hidden       boolean NOT NULL DEFAULT false,
    disqualified boolean NOT NULL DEFAULT false,
    start_at     timestamptz,
    extra_ns     bigint NOT NULL DEFAULT 0 CHECK (extra_ns >= 0),
    PRIMARY KEY (contest, id)
);

-- contestant is the submitter's team, or where that is none, id; null outside of
-- contests.
ALTER TABLE submissions ADD COLUMN contest text, ADD COLUMN contestant text,
    ADD CHECK ((contest IS NULL) = (contestant IS NULL)),
    ADD FOREIGN KEY (contest, contestant) REFERENCES contestants, ADD FOREIGN KEY (contest, problem) REFERENCES contest_problems;
CREATE INDEX submissions_by_contest ON submissions (contest, id) WHERE contest IS NOT NULL;
CREATE INDEX submissions_by_contestant ON submissions (contest, contestant, id) WHERE contest IS NOT NULL;

-- Events may be of a contest alone.
ALTER TABLE events ADD COLUMN contest text NOT NULL DEFAULT '',
    ALTER COLUMN submission_id DROP NOT NULL, ALTER COLUMN judgement_id DROP NOT NULL, ALTER COLUMN token_id DROP NOT NULL;
