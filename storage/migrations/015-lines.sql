-- What the games were that fit a board of some number of players, of all time or a season, stands
-- with its order; NULL on all other boards.
ALTER TABLE standings ADD COLUMN last_ms INTEGER;
ALTER TABLE standings ADD COLUMN games INTEGER;
ALTER TABLE standings ADD COLUMN wins REAL;
ALTER TABLE standings ADD COLUMN place_sum REAL;
ALTER TABLE standings ADD COLUMN stat_hits INTEGER;
ALTER TABLE standings ADD COLUMN stat_chances INTEGER;
ALTER TABLE standings ADD COLUMN finished INTEGER;
ALTER TABLE standings ADD COLUMN "left" INTEGER;
DROP INDEX standings_in_order;
UPDATE standings SET
    (last_ms, games, wins, place_sum, stat_hits, stat_chances, finished, "left") =
    (SELECT t.last_ms, t.games, t.wins, t.place_sum, t.stat_hits, t.stat_chances, t.finished,
            t."left"
     FROM tallies t JOIN boards b ON b.id = standings.board
     WHERE t.account = standings.account AND t.game = b.game AND t.span = b.span
     AND t.players = b.players);
CREATE INDEX standings_in_order ON standings
    (board, class, mu DESC, account, last_ms, games, wins, place_sum, stat_hits, stat_chances,
     finished, "left");

-- Days before the last month are asked for by nobody.
DELETE FROM tallies WHERE span < 0 AND span > (SELECT min(span) FROM tallies) + 31;

-- What a row of a leaderboard tells, kept in the order of the lists: a page of rows that stand
-- together is in a few pages of the file, where to find each account's in the tables it comes from
-- took several a row. There is one for all time and one for each season of an account's game: those
-- who stand on the boards of some number of players, a month or a week, stand in the same class and
-- by the same mu on that of any number.
--
-- from_0 is the mu before the first game on the day (UTC) of the last one, from_7 that before the
-- first on that day or on one of the seven before.
CREATE TABLE leader_lines (
    board INTEGER NOT NULL,
    class INTEGER NOT NULL,
    mu REAL NOT NULL,
    account INTEGER NOT NULL,
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
    name TEXT NOT NULL,
    kind INTEGER NOT NULL,
    role INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL,
    from_0 REAL,
    from_1 REAL,
    from_2 REAL,
    from_3 REAL,
    from_4 REAL,
    from_5 REAL,
    from_6 REAL,
    from_7 REAL,
    PRIMARY KEY (board, class, mu DESC, account)
) STRICT, WITHOUT ROWID;

-- The boards that have lines.
CREATE VIEW line_boards AS
    SELECT id, game, span FROM boards WHERE players = 0 AND span NOT IN (1, 2);

-- What the lines have to be.
CREATE VIEW leader_lines_due AS
    SELECT s.board, s.class, s.mu, s.account, r.sigma, r.rated_ms, r.games, r.wins, r.place_sum,
        r.stat_hits, r.stat_chances, r.finished, r."left", r.streak, r.best_mu, r.best_ms,
        a.name, a.kind, a.role, a.seen_ms,
        (SELECT c.mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game
         AND c.at_ms >= (r.rated_ms / 86400000 - 0) * 86400000 ORDER BY c.at_ms LIMIT 1) AS from_0,
        (SELECT c.mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game
         AND c.at_ms >= (r.rated_ms / 86400000 - 1) * 86400000 ORDER BY c.at_ms LIMIT 1) AS from_1,
        (SELECT c.mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game
         AND c.at_ms >= (r.rated_ms / 86400000 - 2) * 86400000 ORDER BY c.at_ms LIMIT 1) AS from_2,
        (SELECT c.mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game
         AND c.at_ms >= (r.rated_ms / 86400000 - 3) * 86400000 ORDER BY c.at_ms LIMIT 1) AS from_3,
        (SELECT c.mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game
         AND c.at_ms >= (r.rated_ms / 86400000 - 4) * 86400000 ORDER BY c.at_ms LIMIT 1) AS from_4,
        (SELECT c.mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game
         AND c.at_ms >= (r.rated_ms / 86400000 - 5) * 86400000 ORDER BY c.at_ms LIMIT 1) AS from_5,
        (SELECT c.mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game
         AND c.at_ms >= (r.rated_ms / 86400000 - 6) * 86400000 ORDER BY c.at_ms LIMIT 1) AS from_6,
        (SELECT c.mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game
         AND c.at_ms >= (r.rated_ms / 86400000 - 7) * 86400000 ORDER BY c.at_ms LIMIT 1) AS from_7
    FROM standings s JOIN line_boards b ON b.id = s.board AND b.span = 0
    JOIN ratings r ON r.account = s.account AND r.game = b.game
    JOIN accounts a ON a.id = s.account
    UNION ALL
    SELECT s.board, s.class, s.mu, s.account, r.sigma, r.rated_ms, r.games, r.wins, r.place_sum,
        r.stat_hits, r.stat_chances, r.finished, r."left", r.streak, r.best_mu, r.best_ms,
        a.name, a.kind, a.role, a.seen_ms,
        (SELECT c.season_mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game AND c.season = r.season
         AND c.at_ms >= (r.rated_ms / 86400000 - 0) * 86400000 ORDER BY c.at_ms LIMIT 1),
        (SELECT c.season_mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game AND c.season = r.season
         AND c.at_ms >= (r.rated_ms / 86400000 - 1) * 86400000 ORDER BY c.at_ms LIMIT 1),
        (SELECT c.season_mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game AND c.season = r.season
         AND c.at_ms >= (r.rated_ms / 86400000 - 2) * 86400000 ORDER BY c.at_ms LIMIT 1),
        (SELECT c.season_mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game AND c.season = r.season
         AND c.at_ms >= (r.rated_ms / 86400000 - 3) * 86400000 ORDER BY c.at_ms LIMIT 1),
        (SELECT c.season_mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game AND c.season = r.season
         AND c.at_ms >= (r.rated_ms / 86400000 - 4) * 86400000 ORDER BY c.at_ms LIMIT 1),
        (SELECT c.season_mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game AND c.season = r.season
         AND c.at_ms >= (r.rated_ms / 86400000 - 5) * 86400000 ORDER BY c.at_ms LIMIT 1),
        (SELECT c.season_mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game AND c.season = r.season
         AND c.at_ms >= (r.rated_ms / 86400000 - 6) * 86400000 ORDER BY c.at_ms LIMIT 1),
        (SELECT c.season_mu_before FROM rating_changes c
         WHERE c.account = r.account AND c.game = r.game AND c.season = r.season
         AND c.at_ms >= (r.rated_ms / 86400000 - 7) * 86400000 ORDER BY c.at_ms LIMIT 1)
    FROM standings s JOIN line_boards b ON b.id = s.board
    JOIN season_ratings r ON r.account = s.account AND r.game = b.game AND r.season = b.span
    JOIN accounts a ON a.id = s.account;
INSERT INTO leader_lines SELECT * FROM leader_lines_due ORDER BY board, class, mu DESC, account;

CREATE TRIGGER lines_added AFTER INSERT ON standings
WHEN EXISTS (SELECT 1 FROM line_boards WHERE id = new.board) BEGIN
    INSERT INTO leader_lines
        SELECT * FROM leader_lines_due WHERE account = new.account AND board = new.board;
END;
CREATE TRIGGER lines_taken AFTER DELETE ON standings BEGIN
    DELETE FROM leader_lines WHERE board = old.board AND class = old.class AND mu = old.mu
        AND account = old.account;
END;
CREATE TRIGGER lines_moved AFTER UPDATE OF class, mu ON standings
WHEN EXISTS (SELECT 1 FROM line_boards WHERE id = new.board) BEGIN
    DELETE FROM leader_lines WHERE board = old.board AND class = old.class AND mu = old.mu
        AND account = old.account;
    INSERT INTO leader_lines
        SELECT * FROM leader_lines_due WHERE account = new.account AND board = new.board;
END;

-- Accounts are seen all the time: only the lines of all time and of a game's last season follow.
CREATE TRIGGER lines_named AFTER UPDATE OF name, kind, role ON accounts BEGIN
    UPDATE leader_lines SET name = new.name, kind = new.kind, role = new.role
        WHERE (board, class, mu, account) IN
            (SELECT s.board, s.class, s.mu, s.account FROM standings s
             JOIN line_boards b ON b.id = s.board WHERE s.account = new.id);
END;
CREATE TRIGGER lines_seen AFTER UPDATE OF seen_ms ON accounts BEGIN
    UPDATE leader_lines SET seen_ms = new.seen_ms
        WHERE (board, class, mu, account) IN
            (SELECT s.board, s.class, s.mu, s.account FROM standings s
             JOIN line_boards b ON b.id = s.board WHERE s.account = new.id AND
             b.span IN (0, (SELECT max(m.span) FROM boards m WHERE m.game = b.game)));
END;
