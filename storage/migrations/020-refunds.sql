-- Rating given back, so that computing ratings again keeps it. season 0: of all time.
CREATE TABLE refunds (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id),
    game TEXT NOT NULL,
    game_id INTEGER NOT NULL REFERENCES games (id),
    season INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    mu REAL NOT NULL
) STRICT;
CREATE INDEX refunds_in ON refunds (game_id);
CREATE INDEX refunds_of ON refunds (account, game, season, at_ms);
