-- What people at a table have asked for and not got yet, by bit of their seat: another game; a pause,
-- an adjournment, to go on.

ALTER TABLE tables ADD COLUMN rematch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN asks_pause INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN asks_adjourn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN asks_resume INTEGER NOT NULL DEFAULT 0;
