-- The format of HISTORY.md a game was played in: what its moves mean depends on it. All games so
-- far are of the first.

ALTER TABLE games ADD COLUMN format INTEGER NOT NULL DEFAULT 1;
