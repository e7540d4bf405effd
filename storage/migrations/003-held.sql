-- A held account plays, but is neither listed nor heard before a moderator releases it.

ALTER TABLE accounts ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0;
CREATE INDEX accounts_held ON accounts (id) WHERE is_held <> 0;
