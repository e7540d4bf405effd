-- Void games whose later games are still to be rated again. What is in progress is in memory.
CREATE TABLE void_games (
    game_id INTEGER PRIMARY KEY REFERENCES games (id)
) STRICT;
INSERT INTO void_games SELECT void_id FROM reratings WHERE void_id IS NOT NULL;
DROP TABLE reratings;
DROP TABLE rerated;
