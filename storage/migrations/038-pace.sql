-- How fast a table plays: normal (0), quick (1) or slow (2).
ALTER TABLE tables ADD COLUMN pace INTEGER NOT NULL DEFAULT 0;
