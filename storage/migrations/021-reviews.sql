-- Finished games that people go through together, at which step and whose view (-1: all hands);
-- and who does, the one of the lowest place leading.

CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game_id INTEGER NOT NULL REFERENCES games (id),
    step INTEGER NOT NULL,
    seat INTEGER NOT NULL
) STRICT;
ALTER TABLE connections ADD COLUMN review INTEGER REFERENCES reviews (id);
ALTER TABLE connections ADD COLUMN review_place INTEGER NOT NULL DEFAULT 0;
CREATE INDEX connections_in_review ON connections (review) WHERE review IS NOT NULL;
