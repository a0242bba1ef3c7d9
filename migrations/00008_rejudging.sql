-- +goose Up

-- Many submissions judged once more. chosen is by what they were (judge.
-- RejudgingQuery). concerns are the problems and contests of what it chose; counts
-- is written when it ends, till then it is counted.
CREATE TABLE rejudgings (
    id         uuid PRIMARY KEY,
    token_id   uuid NOT NULL REFERENCES tokens,
    reason     text NOT NULL,
    chosen     jsonb NOT NULL,
    same       boolean NOT NULL, -- on the versions that the old judgements were made on; else on what is published
    auto       boolean NOT NULL, -- applied by itself when all is judged
    state      text NOT NULL CHECK (state IN ('judging', 'applied', 'cancelled', 'expired')),
    concerns   jsonb NOT NULL,
    skipped    integer NOT NULL,
    counts     jsonb,
    trouble    text NOT NULL DEFAULT '', -- why it was not applied by itself
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at   timestamptz,
    ended_by   uuid REFERENCES tokens,   -- null: the judge itself
    end_reason text NOT NULL DEFAULT '',
    CHECK ((state = 'judging') = (ended_at IS NULL))
);
CREATE INDEX rejudgings_open ON rejudgings (expires_at) WHERE state = 'judging';

-- A shadow is a judgement that does not count (yet): of a rejudging that is not
-- applied. Whatever speaks of a submission's judgements leaves it out, for all but
-- staff. submissions.newest is the newest judgement that is none.
ALTER TABLE judgements ADD COLUMN shadow boolean NOT NULL DEFAULT false, ADD COLUMN rejudging_id uuid REFERENCES rejudgings;

CREATE TABLE rejudging_items (
    rejudging_id  uuid NOT NULL REFERENCES rejudgings ON DELETE CASCADE,
    submission_id uuid NOT NULL REFERENCES submissions ON DELETE CASCADE,
    old_id        uuid NOT NULL REFERENCES judgements ON DELETE CASCADE, -- that counted when it was made
    new_id        uuid NOT NULL REFERENCES judgements ON DELETE CASCADE,
    applied       boolean NOT NULL DEFAULT false,
    PRIMARY KEY (rejudging_id, submission_id)
);
CREATE INDEX rejudging_items_by_submission ON rejudging_items (submission_id);
CREATE INDEX rejudging_items_by_old ON rejudging_items (old_id);
CREATE INDEX rejudging_items_by_new ON rejudging_items (new_id);
