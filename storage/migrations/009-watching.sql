-- Who may watch a table, how far behind the game, and whether watchers are heard there.

ALTER TABLE tables ADD COLUMN watch_policy INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN watch_moves INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN watch_talk INTEGER NOT NULL DEFAULT 0;

-- Said at a table by somebody without a seat while a game was on.
ALTER TABLE chat ADD COLUMN by_watcher INTEGER NOT NULL DEFAULT 0;
