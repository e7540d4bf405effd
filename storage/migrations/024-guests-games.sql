-- A guest's own games, found by the name: no other guest ever has it. holder 2: a guest.
CREATE INDEX scores_of_guest ON scores (name, game_id) WHERE account IS NULL AND holder = 2;
