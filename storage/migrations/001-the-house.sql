-- Times are milliseconds since 1970 in UTC. Numbers that stand for words are the enums of the
-- headers in storage/. An account of NULL is a guest's, a bot's without one, or the house's.

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    next INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    skeleton TEXT NOT NULL UNIQUE,
    kind INTEGER NOT NULL,
    role INTEGER NOT NULL,
    password_hash TEXT NOT NULL,
    settings TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
    fingerprint TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id),
    type TEXT NOT NULL,
    added_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_of_account ON keys (account, added_ms);

CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL,
    players INTEGER NOT NULL CHECK (players BETWEEN 1 AND 7),
    options TEXT NOT NULL,
    clock_s INTEGER NOT NULL,
    password_hash TEXT NOT NULL,
    host INTEGER REFERENCES accounts (id),
    host_name TEXT NOT NULL,
    state INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    conn INTEGER NOT NULL,
    request INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX tables_once ON tables (conn, request) WHERE conn <> 0;
CREATE INDEX tables_not_closed ON tables (id) WHERE state <> 3;

CREATE TABLE table_seats (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    holder INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (id),
    name TEXT NOT NULL,
    policy TEXT NOT NULL,
    is_absent INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

-- `people`: the persons of a rated game, ascending account numbers between commas.
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    game TEXT NOT NULL,
    players INTEGER NOT NULL CHECK (players BETWEEN 1 AND 7),
    options TEXT NOT NULL,
    seed BLOB NOT NULL CHECK (length(seed) = 32),
    commitment BLOB NOT NULL CHECK (length(commitment) = 32),
    is_rated INTEGER NOT NULL,
    state INTEGER NOT NULL,
    started_ms INTEGER NOT NULL,
    finished_ms INTEGER NOT NULL,
    people TEXT
) STRICT;
CREATE INDEX games_together ON games (people, game, finished_ms) WHERE people IS NOT NULL;

CREATE TABLE game_seats (
    game_id INTEGER NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    holder INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (id),
    name TEXT NOT NULL,
    policy TEXT NOT NULL,
    PRIMARY KEY (game_id, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE seat_changes (
    game_id INTEGER NOT NULL REFERENCES games (id),
    n INTEGER NOT NULL,
    step INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    holder INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (id),
    name TEXT NOT NULL,
    policy TEXT NOT NULL,
    PRIMARY KEY (game_id, n)
) STRICT, WITHOUT ROWID;

-- Moves as they arrive, of all games; emptied into `moves` when they have become many. No reference
-- and no index, which would make arriving and emptying dear.
CREATE TABLE moves_new (
    n INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL,
    step INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    move TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    conn INTEGER NOT NULL,
    request INTEGER NOT NULL
) STRICT;

-- All other moves, ordered as they are read.
CREATE TABLE moves (
    game_id INTEGER NOT NULL REFERENCES games (id),
    step INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    move TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    conn INTEGER NOT NULL,
    request INTEGER NOT NULL,
    PRIMARY KEY (game_id, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE scores (
    game_id INTEGER NOT NULL REFERENCES games (id),
    n INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    holder INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (id),
    name TEXT NOT NULL,
    policy TEXT NOT NULL,
    score INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    is_winner INTEGER NOT NULL,
    stat_hits INTEGER NOT NULL,
    stat_chances INTEGER NOT NULL,
    left_for_good INTEGER NOT NULL,
    PRIMARY KEY (game_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX scores_of_account ON scores (account, game_id) WHERE account IS NOT NULL;

CREATE TABLE ratings (
    account INTEGER NOT NULL REFERENCES accounts (id),
    game TEXT NOT NULL,
    is_bot INTEGER NOT NULL,
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
    PRIMARY KEY (account, game)
) STRICT, WITHOUT ROWID;
-- The leaderboard's order with all that decides who is on it: ranks are counted in here alone.
CREATE INDEX ratings_in_order ON ratings (game, is_bot, mu DESC, account, games, rated_ms, sigma);

CREATE TABLE rating_changes (
    game_id INTEGER NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    account INTEGER NOT NULL REFERENCES accounts (id),
    game TEXT NOT NULL,
    mu_before REAL NOT NULL,
    sigma_before REAL NOT NULL,
    mu_after REAL NOT NULL,
    sigma_after REAL NOT NULL,
    at_ms INTEGER NOT NULL,
    by TEXT NOT NULL,
    PRIMARY KEY (game_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX rating_changes_of_account ON rating_changes (account, game, at_ms, mu_before);

CREATE TABLE chat (
    number INTEGER PRIMARY KEY,
    channel INTEGER NOT NULL,
    table_id INTEGER REFERENCES tables (id),
    kind INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (id),
    from_name TEXT NOT NULL,
    to_name TEXT NOT NULL,
    text TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    conn INTEGER NOT NULL,
    request INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX chat_once ON chat (conn, request) WHERE conn <> 0;
CREATE INDEX chat_of_channel ON chat (channel, table_id, number) WHERE channel <> 2;
CREATE INDEX chat_told_by ON chat (from_name, number) WHERE channel = 2;
CREATE INDEX chat_told_to ON chat (to_name, number) WHERE channel = 2;

CREATE TABLE connections (
    conn INTEGER PRIMARY KEY,
    phase TEXT NOT NULL,
    account INTEGER REFERENCES accounts (id),
    name TEXT NOT NULL,
    key_type TEXT NOT NULL,
    key_fingerprint TEXT NOT NULL,
    table_id INTEGER REFERENCES tables (id),
    address TEXT NOT NULL,
    transport TEXT NOT NULL,
    since_ms INTEGER NOT NULL
) STRICT;
