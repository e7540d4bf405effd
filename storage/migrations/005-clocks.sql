-- What kind of clock a table has, what has brought its game to a halt and since when. A day a move
-- was the longest there was: those tables are played turn by turn now.

ALTER TABLE tables ADD COLUMN clock_kind INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN clock_increment_s INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN halt INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN halt_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN awaited INTEGER NOT NULL DEFAULT 0;
UPDATE tables SET clock_kind = CASE clock_s WHEN 0 THEN 0 WHEN 86400 THEN 3 ELSE 1 END;

-- Each seat's clock in the game that is on.
CREATE TABLE table_clocks (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    is_running INTEGER NOT NULL,
    since_ms INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    bank_ms INTEGER NOT NULL,
    misses INTEGER NOT NULL,
    is_grace_spent INTEGER NOT NULL,
    seen_step INTEGER NOT NULL,
    gone_ms INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

-- Vacations, and the respite that one absence gets.
CREATE TABLE player_times (
    account INTEGER PRIMARY KEY REFERENCES accounts (id),
    vacation_ms INTEGER NOT NULL,
    vacation_year INTEGER NOT NULL,
    vacation_days INTEGER NOT NULL,
    respite_ms INTEGER NOT NULL
) STRICT;
