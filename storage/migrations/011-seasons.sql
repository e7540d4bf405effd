-- Seasons have ratings of their own, a change knows all that a statistic is made of, and lists are
-- kept in order: what they show is found and not counted.

CREATE TABLE season_ratings (
    account INTEGER NOT NULL REFERENCES accounts (id),
    game TEXT NOT NULL,
    season INTEGER NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    rated_ms INTEGER NOT NULL,
    games INTEGER NOT NULL,
    wins REAL NOT NULL,
    place_sum REAL NOT NULL,
    stat_hits INTEGER NOT NULL,
    stat_chances INTEGER NOT NULL,
    finished INTEGER NOT NULL,
    "left" INTEGER NOT NULL,
    streak INTEGER NOT NULL,
    best_mu REAL NOT NULL,
    best_ms INTEGER NOT NULL,
    PRIMARY KEY (account, game, season)
) STRICT, WITHOUT ROWID;

ALTER TABLE rating_changes ADD COLUMN players INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN win REAL NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN stat_hits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN stat_chances INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN has_left INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN is_bot INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN season INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN season_mu_before REAL NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN season_sigma_before REAL NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN season_mu_after REAL NOT NULL DEFAULT 0;
ALTER TABLE rating_changes ADD COLUMN season_sigma_after REAL NOT NULL DEFAULT 0;
UPDATE rating_changes SET
    players = (SELECT g.players FROM games g WHERE g.id = game_id),
    is_bot = (SELECT a.kind = 1 FROM accounts a WHERE a.id = account),
    season = strftime('%Y', at_ms / 1000, 'unixepoch') * 10
        + (strftime('%m', at_ms / 1000, 'unixepoch') + 2) / 3;
UPDATE rating_changes SET (rank, win, stat_hits, stat_chances, has_left) =
    (SELECT iif(s.left_for_good, s.rank,
                1 + (SELECT count(*) FROM scores o WHERE o.game_id = s.game_id AND o.rank < s.rank
                     AND o.seat NOT IN (SELECT l.seat FROM scores l
                                        WHERE l.game_id = s.game_id AND l.left_for_good))),
            iif(s.is_winner, 1.0 / (SELECT count(*) FROM scores w
                                    WHERE w.game_id = s.game_id AND w.is_winner), 0.0),
            iif(s.left_for_good, 0, s.stat_hits), iif(s.left_for_good, 0, s.stat_chances),
            s.left_for_good
     FROM scores s WHERE s.game_id = rating_changes.game_id AND s.seat = rating_changes.seat
     AND s.account = rating_changes.account)
    WHERE EXISTS (SELECT 1 FROM scores s WHERE s.game_id = rating_changes.game_id
                  AND s.seat = rating_changes.seat AND s.account = rating_changes.account);

-- Sums of what an account's rated games with so many players were: in all (span 0), of a season
-- (span: its number), of a day (span: minus its number, from 1970 on).
CREATE TABLE tallies (
    account INTEGER NOT NULL REFERENCES accounts (id),
    game TEXT NOT NULL,
    span INTEGER NOT NULL,
    players INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    games INTEGER NOT NULL,
    wins REAL NOT NULL,
    place_sum REAL NOT NULL,
    stat_hits INTEGER NOT NULL,
    stat_chances INTEGER NOT NULL,
    finished INTEGER NOT NULL,
    "left" INTEGER NOT NULL,
    PRIMARY KEY (account, game, span, players)
) STRICT, WITHOUT ROWID;
INSERT INTO tallies
    SELECT account, game, span, players, max(at_ms), count(*), sum(win),
           sum(CAST(players - rank AS REAL) / (players - 1)), sum(stat_hits), sum(stat_chances),
           sum(NOT has_left), sum(has_left)
    FROM (SELECT *, 0 AS span FROM rating_changes
          UNION ALL SELECT *, season FROM rating_changes
          UNION ALL SELECT *, -(at_ms / 86400000) FROM rating_changes)
    WHERE players > 1 GROUP BY account, game, span, players;

-- The lists that may be asked for. Span: 0 all time, 1 thirty days, 2 seven days, else a season.
-- Players: 0 for any number.
CREATE TABLE boards (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    span INTEGER NOT NULL,
    players INTEGER NOT NULL,
    is_bot INTEGER NOT NULL,
    UNIQUE (game, span, players, is_bot)
) STRICT;

-- Who is on them. Class: 0 has a rating that does not qualify, 1 listed; 2 and 3 the same of an
-- account that is held. until_ms: when that changes by itself; gone_ms: when the account leaves the
-- list altogether; both NULL for never.
CREATE TABLE standings (
    account INTEGER NOT NULL REFERENCES accounts (id),
    board INTEGER NOT NULL REFERENCES boards (id),
    class INTEGER NOT NULL,
    mu REAL NOT NULL,
    until_ms INTEGER,
    gone_ms INTEGER,
    PRIMARY KEY (account, board)
) STRICT, WITHOUT ROWID;
CREATE INDEX standings_in_order ON standings (board, class, mu DESC, account);
CREATE INDEX standings_until ON standings (until_ms) WHERE until_ms IS NOT NULL;

-- How many there are of each eighth of mu: a rank is the sum of those above and a few counted.
-- Times eight is exact, so a bucket's edges are too (storage/ratings/leaders.c).
CREATE TABLE standing_counts (
    board INTEGER NOT NULL,
    class INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (board, class, bucket)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER standings_added AFTER INSERT ON standings BEGIN
    INSERT INTO standing_counts
        VALUES (new.board, new.class, CAST(new.mu * 8 AS INTEGER), 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER standings_taken AFTER DELETE ON standings BEGIN
    UPDATE standing_counts SET count = count - 1 WHERE board = old.board AND class = old.class
        AND bucket = CAST(old.mu * 8 AS INTEGER);
END;
CREATE TRIGGER standings_moved AFTER UPDATE OF class, mu ON standings
WHEN new.class <> old.class
    OR CAST(new.mu * 8 AS INTEGER) <> CAST(old.mu * 8 + 8000 AS INTEGER) BEGIN
    UPDATE standing_counts SET count = count - 1 WHERE board = old.board AND class = old.class
        AND bucket = CAST(old.mu * 8 AS INTEGER);
    INSERT INTO standing_counts
        VALUES (new.board, new.class, CAST(new.mu * 8 AS INTEGER), 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER standings_held AFTER UPDATE OF is_held ON accounts
WHEN (new.is_held <> 0) <> (old.is_held <> 0) BEGIN
    UPDATE standings SET class = (class & 1) | iif(new.is_held, 2, 0) WHERE account = new.id;
END;
DROP INDEX ratings_in_order;

-- Ratings to be computed again, one after the other: all of a game (void_id NULL), or what came
-- after a game that was declared void. How far it is: games up to (at_ms, after_id); then accounts.
CREATE TABLE reratings (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    void_id INTEGER REFERENCES games (id),
    phase INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    after_id INTEGER NOT NULL
) STRICT;
INSERT INTO reratings (game, phase, at_ms, after_id)
    SELECT DISTINCT game, 0, 0, 0 FROM rating_changes;

-- What has been computed so far: season 0 is all time. As of a moment, uncertainty included.
CREATE TABLE rerated (
    account INTEGER NOT NULL REFERENCES accounts (id),
    season INTEGER NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    as_of_ms INTEGER NOT NULL,
    PRIMARY KEY (account, season)
) STRICT, WITHOUT ROWID;
CREATE INDEX games_rated_in_order ON games (game, finished_ms, id) WHERE people IS NOT NULL;
