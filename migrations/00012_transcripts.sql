-- +goose Up
-- What a submission and its interactor told each other: a list of judge.Utterance,
-- their texts in base64, as they may hold any byte.
ALTER TABLE run_outputs ADD COLUMN transcript jsonb;

-- +goose Down
ALTER TABLE run_outputs DROP COLUMN transcript;
