-- +goose Up

CREATE TABLE problems (
    name       text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
    enabled    boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE problem_versions (
    id           uuid PRIMARY KEY,
    problem      text NOT NULL REFERENCES problems,
    number       integer NOT NULL CHECK (number > 0),
    state        text NOT NULL CHECK (state IN ('draft', 'verifying', 'published', 'retired')),
    digest       text NOT NULL,
    manifest     jsonb NOT NULL,
    cpu_limit_ns bigint NOT NULL DEFAULT 0 CHECK (cpu_limit_ns >= 0),
    languages    jsonb NOT NULL DEFAULT '[]',
    feedback     text NOT NULL DEFAULT 'cases' CHECK (feedback IN ('full', 'cases', 'first_failed', 'verdict', 'none')),
    created_at   timestamptz NOT NULL DEFAULT now(),
    created_by   uuid REFERENCES tokens,
    UNIQUE (problem, number)
);
CREATE UNIQUE INDEX problem_versions_published ON problem_versions (problem) WHERE state = 'published';

CREATE TABLE blobs (
    sha256      text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    size        bigint NOT NULL CHECK (size >= 0),
    stored_size bigint NOT NULL CHECK (stored_size >= 0),
    created_at  timestamptz NOT NULL DEFAULT now(),
    touched_at  timestamptz NOT NULL DEFAULT now() -- last upload that counts on it
);

-- Whose blob it is: references are counted, not kept as a number that may drift.
CREATE TABLE version_blobs (
    version_id uuid NOT NULL REFERENCES problem_versions ON DELETE CASCADE,
    sha256     text NOT NULL REFERENCES blobs,
    PRIMARY KEY (version_id, sha256)
);
CREATE INDEX version_blobs_by_blob ON version_blobs (sha256);
