-- Moves are stored in the order in which they are read at once.
INSERT INTO moves (game_id, step, seat, move, at_ms, conn, request)
    SELECT game_id, step, seat, move, at_ms, conn, request FROM moves_new;
DROP TABLE moves_new;
