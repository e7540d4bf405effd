-- Whom rating was lost to that was given back, so that none is given back twice. NULL: all that was
-- lost in the game.
ALTER TABLE refunds ADD COLUMN lost_to INTEGER REFERENCES accounts (id);
