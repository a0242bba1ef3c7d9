-- +goose Up

-- The last event that was forgotten: who was away for longer is told so.
ALTER TABLE origin ADD COLUMN pruned_xid xid8 NOT NULL DEFAULT '0', ADD COLUMN pruned_id bigint NOT NULL DEFAULT 0;
