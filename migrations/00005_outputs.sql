-- +goose Up

-- newest is the judgement that counts, and outcome what it came to: its verdict
-- as reviewed, cancelled, or empty while it is under way. Both are written in the
-- transactions that write the judgement, so that lists need not look for them.
-- newest has no foreign key, as the submission is written before its judgement.
ALTER TABLE submissions ADD COLUMN newest uuid, ADD COLUMN outcome text NOT NULL DEFAULT '';
UPDATE submissions s SET newest = j.id, outcome = CASE j.state WHEN 'cancelled' THEN 'cancelled' ELSE coalesce(nullif(j.review->>'Verdict', ''), j.verdict) END
    FROM (SELECT DISTINCT ON (submission_id) * FROM judgements ORDER BY submission_id, id DESC) j WHERE j.submission_id = s.id;
DELETE FROM submissions WHERE newest IS NULL; -- there are none: the two are written together
ALTER TABLE submissions ALTER COLUMN newest SET NOT NULL;

-- For each filter of a list, in the order of the list. Who filters by person goes
-- by the submitter, whose name two tokens seldom share.
DROP INDEX submissions_by_person;
CREATE INDEX submissions_by_submitter ON submissions (submitter_id, id) WHERE submitter_id <> '';
CREATE INDEX submissions_by_team ON submissions (submitter_team, id) WHERE submitter_team <> '';
CREATE INDEX submissions_by_token ON submissions (token_id, id);
CREATE INDEX submissions_by_language ON submissions (language, id);
CREATE INDEX submissions_by_outcome ON submissions (outcome, id);
CREATE INDEX submissions_by_problem_outcome ON submissions (problem, outcome, id);

-- The texts are bytes from a box.
CREATE TABLE run_outputs (
    judgement_id     uuid NOT NULL,
    ordinal          integer NOT NULL,
    stdout           bytea NOT NULL,
    stderr           bytea NOT NULL,
    stdout_size      bigint NOT NULL,
    stderr_size      bigint NOT NULL,
    judge_message    bytea NOT NULL,
    team_message     bytea NOT NULL,
    validator_stderr bytea NOT NULL,
    difference       jsonb,
    PRIMARY KEY (judgement_id, ordinal),
    FOREIGN KEY (judgement_id, ordinal) REFERENCES runs ON DELETE CASCADE
);

-- An inspection is a judgement of one case, and goes its way: taken, fenced and
-- queued again like any other. Whatever speaks of a submission's judgements leaves
-- it out.
ALTER TABLE judgements ADD COLUMN inspection boolean NOT NULL DEFAULT false;
CREATE TABLE inspections (
    id           uuid PRIMARY KEY REFERENCES judgements ON DELETE CASCADE,
    judgement_id uuid NOT NULL REFERENCES judgements ON DELETE CASCADE,
    ordinal      integer NOT NULL,
    "case"       text NOT NULL,
    token_id     uuid NOT NULL REFERENCES tokens
);
CREATE INDEX inspections_by_judgement ON inspections (judgement_id);
