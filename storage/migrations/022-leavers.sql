-- Who left for good ranks below everybody who holds a seat at the end, and has no score: the seat's
-- is the bot's. Their place is the last, also in what is summed up.
CREATE TABLE leavers (game_id INTEGER, seat INTEGER, rank INTEGER, PRIMARY KEY (game_id, seat));
INSERT INTO leavers
    SELECT s.game_id, s.seat,
           g.players + 1 + (SELECT count(*) FROM scores o WHERE o.game_id = s.game_id
                            AND o.left_for_good AND o.rank < s.rank)
    FROM scores s JOIN games g ON g.id = s.game_id WHERE s.left_for_good;
UPDATE scores SET score = 0,
    rank = (SELECT l.rank FROM leavers l WHERE l.game_id = scores.game_id AND l.seat = scores.seat)
    WHERE left_for_good;
DROP TABLE leavers;

CREATE TABLE leavers (account INTEGER, game TEXT, season INTEGER, day INTEGER, players INTEGER,
                      place REAL);
INSERT INTO leavers
    SELECT account, game, season, at_ms / 86400000, players,
           CAST(players - rank AS REAL) / (players - 1)
    FROM rating_changes WHERE has_left AND players > 1 AND rank < players;
UPDATE ratings SET place_sum = place_sum -
    (SELECT sum(l.place) FROM leavers l WHERE l.account = ratings.account AND l.game = ratings.game)
    WHERE (account, game) IN (SELECT account, game FROM leavers);
UPDATE season_ratings SET place_sum = place_sum -
    (SELECT sum(l.place) FROM leavers l WHERE l.account = season_ratings.account
     AND l.game = season_ratings.game AND l.season = season_ratings.season)
    WHERE (account, game, season) IN (SELECT account, game, season FROM leavers);
UPDATE tallies SET place_sum = place_sum -
    (SELECT sum(l.place) FROM leavers l WHERE l.account = tallies.account AND l.game = tallies.game
     AND l.players = tallies.players AND tallies.span IN (0, l.season, -l.day))
    WHERE EXISTS (SELECT 1 FROM leavers l WHERE l.account = tallies.account
                  AND l.game = tallies.game AND l.players = tallies.players
                  AND tallies.span IN (0, l.season, -l.day));
UPDATE standings SET place_sum =
    (SELECT t.place_sum FROM boards b JOIN tallies t ON t.game = b.game AND t.span = b.span
     AND t.players = b.players WHERE b.id = standings.board AND t.account = standings.account)
    WHERE account IN (SELECT account FROM leavers) AND place_sum IS NOT NULL;
UPDATE leader_lines SET place_sum =
    (SELECT d.place_sum FROM leader_lines_due d
     WHERE d.board = leader_lines.board AND d.account = leader_lines.account)
    WHERE account IN (SELECT account FROM leavers);
DROP TABLE leavers;
