-- The schema of a house in SQLite. The build translates its tables, indexes and views for PostgreSQL
-- (embed.cmake); postgres/001-house.sql has what PostgreSQL needs besides.
--
-- The headers in storage/ explain the columns in full (STORAGE_*_COLUMNS), and their enums the
-- numbers that stand for choices. Times (*_ms) are milliseconds since 1970 in UTC. A reference to
-- a row of another table is NULL if there is none: guests, some bots and the house have no account.
-- A set of seats has the bit 1 << seat for each seat.

-- == The house ==

-- Single values of the house, by name.
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The next number of each counter, by name.
CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    next INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Answers to requests, committed with what the requests did, so that a repeated request is answered
-- and not carried out again (lobby/house/parts.h). A row holds the answers of one commit.
CREATE TABLE answers (
    number INTEGER PRIMARY KEY,
    sealed BLOB NOT NULL -- encrypted answers
) STRICT;

-- News of the house.
CREATE TABLE news (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

-- == Accounts ==

CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    skeleton TEXT NOT NULL UNIQUE, -- confusable names have the same skeleton
    kind INTEGER NOT NULL,
    role INTEGER NOT NULL,
    password_hash TEXT NOT NULL,
    settings TEXT NOT NULL, -- a JSON object
    created_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL,
    is_held INTEGER NOT NULL DEFAULT 0,
    is_closed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX accounts_held ON accounts (id) WHERE is_held <> 0;

-- The SSH keys of accounts.
CREATE TABLE keys (
    fingerprint TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id),
    type TEXT NOT NULL,
    added_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_of_account ON keys (account, added_ms);

-- Recovery codes and other codes that work once: only the hash of each is stored. An account has at
-- most one code for each purpose.
CREATE TABLE codes (
    account INTEGER NOT NULL REFERENCES accounts (id),
    purpose INTEGER NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    expires_ms INTEGER NOT NULL,
    PRIMARY KEY (account, purpose)
) STRICT, WITHOUT ROWID;

-- What the codes of authenticator apps are made from (RFC 6238).
CREATE TABLE totp (
    account INTEGER PRIMARY KEY REFERENCES accounts (id),
    secret TEXT NOT NULL, -- in base32
    used_step INTEGER NOT NULL -- the last time step whose code was used
) STRICT;

-- Earlier names of accounts. An account is still found by them, and for a while nobody else may
-- take them.
CREATE TABLE former_names (
    account INTEGER NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    skeleton TEXT NOT NULL,
    until_ms INTEGER NOT NULL, -- the account had the name until then
    PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_names_like ON former_names (skeleton, until_ms);
CREATE INDEX former_names_called ON former_names (name, until_ms);

-- Notices that an account reads at its next sign-in.
CREATE TABLE account_notices (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id),
    at_ms INTEGER NOT NULL,
    not_by_key TEXT NOT NULL, -- sign-ins with this key do not see the notice: it caused it
    text TEXT NOT NULL
) STRICT;
CREATE INDEX account_notices_of ON account_notices (account, id);

-- Where accounts signed in from, and with which key.
CREATE TABLE sign_ins (
    account INTEGER NOT NULL REFERENCES accounts (id),
    address TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (account, address, fingerprint)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_ins_from ON sign_ins (address);
CREATE INDEX sign_ins_with ON sign_ins (fingerprint) WHERE fingerprint <> '';
CREATE INDEX sign_ins_by_age ON sign_ins (last_ms);

-- Vacations, and the respite (extra time) of an absent player.
CREATE TABLE player_times (
    account INTEGER PRIMARY KEY REFERENCES accounts (id),
    vacation_ms INTEGER NOT NULL,
    vacation_year INTEGER NOT NULL,
    vacation_days INTEGER NOT NULL,
    respite_ms INTEGER NOT NULL
) STRICT;

-- Delays after wrong passwords. People also type names that do not exist, and passwords in the
-- place of names, so only a keyed hash of what they typed is stored.
CREATE TABLE backoffs (
    name_hash TEXT PRIMARY KEY,
    failures INTEGER NOT NULL,
    until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX backoffs_in_order ON backoffs (until_ms);

-- How many accounts were created from each address or network.
CREATE TABLE registrations (
    source TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    first_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- == Tables ==

CREATE TABLE tables (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL,
    players INTEGER NOT NULL CHECK (players BETWEEN 1 AND 7),
    options TEXT NOT NULL, -- a JSON object
    clock_s INTEGER NOT NULL, -- seconds for a move, or for all moves of a player; 0: no clock
    password_hash TEXT NOT NULL,
    host INTEGER REFERENCES accounts (id),
    host_name TEXT NOT NULL,
    state INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    conn INTEGER NOT NULL, -- conn, request: the request that opened the table
    request INTEGER NOT NULL,
    clock_kind INTEGER NOT NULL DEFAULT 0,
    clock_increment_s INTEGER NOT NULL DEFAULT 0,
    halt INTEGER NOT NULL DEFAULT 0,
    halt_ms INTEGER NOT NULL DEFAULT 0, -- when the game was halted; 0: it is not halted
    -- set of seats: a game that the house halted goes on when these players are back
    awaited INTEGER NOT NULL DEFAULT 0,
    watch_policy INTEGER NOT NULL DEFAULT 0, -- who may watch
    watch_moves INTEGER NOT NULL DEFAULT 0, -- how many moves spectators are behind the game
    watch_talk INTEGER NOT NULL DEFAULT 0, -- who hears spectators
    rating_min INTEGER NOT NULL DEFAULT 0, -- rating points needed to sit down; 0: any
    rating_max INTEGER NOT NULL DEFAULT 0,
    -- percentage of rated games finished needed to sit down; 0: any
    finished_min INTEGER NOT NULL DEFAULT 0,
    rematch INTEGER NOT NULL DEFAULT 0, -- rematch, asks_*: sets of seats that asked for it
    asks_pause INTEGER NOT NULL DEFAULT 0,
    asks_adjourn INTEGER NOT NULL DEFAULT 0,
    asks_resume INTEGER NOT NULL DEFAULT 0,
    halt_by TEXT NOT NULL DEFAULT '', -- the first player who asked to adjourn
    halt_why TEXT NOT NULL DEFAULT '',
    resume_asked INTEGER NOT NULL DEFAULT 0, -- set of seats that asked to resume an adjourned game
    resume_due_ms INTEGER NOT NULL DEFAULT 0, -- when play resumes without the others; 0: never
    pace INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX tables_not_closed ON tables (id) WHERE state <> 3;

-- The seats of tables that are not closed.
CREATE TABLE table_seats (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat INTEGER NOT NULL,
    holder INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (id),
    name TEXT NOT NULL,
    policy TEXT NOT NULL,
    is_absent INTEGER NOT NULL, -- a bot plays until the holder returns
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

-- The clock of each seat in the game in play.
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

-- Invitations to tables. A guest's name is never the name of an account, so the name identifies the
-- person; each has at most one invitation.
CREATE TABLE invitations (
    name TEXT PRIMARY KEY,
    account INTEGER REFERENCES accounts (id),
    table_id INTEGER NOT NULL REFERENCES tables (id),
    until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_to ON invitations (table_id);

-- == Games ==

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
    format INTEGER NOT NULL DEFAULT 1 -- of the history (games/HISTORY.md)
) STRICT;
CREATE INDEX games_by_end ON games (finished_ms) WHERE state = 1;
CREATE INDEX games_rated_in_order ON games (game, finished_ms, id) WHERE is_rated = 1;
-- Games that ended without a result have no scores to find their players by.
CREATE INDEX games_cut ON games (id) WHERE state = 2;

-- The seats at the start of a game.
CREATE TABLE game_seats (
    game_id INTEGER NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    holder INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (id),
    name TEXT NOT NULL,
    policy TEXT NOT NULL,
    PRIMARY KEY (game_id, seat)
) STRICT, WITHOUT ROWID;

-- Seats that changed hands during a game, in order.
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

-- New moves of all games, as they arrive. storage/sql/sql.h transfers them to `moves`. There
-- are no references and no index, so that adding and transferring rows is cheap.
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

-- All other moves, in the order in which they are read.
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

-- Results of games, in display order. A player who left for good and the player who took over the
-- seat have a row each.
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
-- Finds the games of a guest (holder 2). No other guest ever has the same name.
CREATE INDEX scores_of_guest ON scores (name, game_id) WHERE account IS NULL AND holder = 2;

-- Shared replays of finished games.
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game_id INTEGER NOT NULL REFERENCES games (id),
    step INTEGER NOT NULL,
    seat INTEGER NOT NULL -- whose hand is shown; -1: all hands
) STRICT;

-- == Connections ==

-- The open connections, from which a restarted core resumes.
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
    since_ms INTEGER NOT NULL,
    -- signed in with a recovery code: may set a password without the old one
    is_recovered INTEGER NOT NULL DEFAULT 0,
    observes TEXT NOT NULL DEFAULT '', -- why a moderator watches a table unseen
    review INTEGER REFERENCES reviews (id),
    review_place INTEGER NOT NULL DEFAULT 0, -- the lowest number in a shared replay leads it
    bye TEXT NOT NULL DEFAULT '' -- what a closed connection is still to be told
) STRICT;
CREATE INDEX connections_in_review ON connections (review) WHERE review IS NOT NULL;

-- Guests who are connected or were until recently, so that staff find the person behind a name.
CREATE TABLE guests (
    name TEXT PRIMARY KEY,
    net TEXT NOT NULL, -- the IPv4 address, or the /64 network of an IPv6 address
    address TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    transport TEXT NOT NULL,
    seen_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX guests_from ON guests (net, seen_ms);
CREATE INDEX guests_seen ON guests (seen_ms);

-- == Chat ==

-- Chat lines: of the lobby (channel 0), at tables (1), direct messages (2), and in named channels
-- (3).
CREATE TABLE chat (
    number INTEGER PRIMARY KEY,
    channel INTEGER NOT NULL,
    table_id INTEGER REFERENCES tables (id),
    kind INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (id),
    from_name TEXT NOT NULL,
    to_name TEXT NOT NULL, -- recipient of a direct message, or name of a channel
    text TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    conn INTEGER NOT NULL,
    request INTEGER NOT NULL,
    by_watcher INTEGER NOT NULL DEFAULT 0, -- said by a spectator while a game was in play
    hidden_ms INTEGER NOT NULL DEFAULT 0, -- when staff hid the line; 0: it is not hidden
    hidden_by INTEGER NOT NULL DEFAULT 0, -- role of the staff member who hid it
    -- the house's lines: sentence and arguments as JSON, for translation
    say TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX chat_of_channel ON chat (channel, table_id, number) WHERE channel <> 2;
CREATE INDEX chat_told_by ON chat (from_name, number) WHERE channel = 2;
CREATE INDEX chat_told_to ON chat (to_name, number) WHERE channel = 2;
CREATE INDEX chat_in_channel ON chat (to_name, number) WHERE channel = 3;
CREATE INDEX chat_of_account ON chat (account, number) WHERE account IS NOT NULL;
-- The retention job (storage/upkeep/upkeep.h) finds old rows by their age: direct messages
-- (channel 2) apart from other lines.
CREATE INDEX chat_by_age ON chat (channel = 2, at_ms);

-- Direct messages that wait until their recipient is online.
CREATE TABLE kept_tells (
    number INTEGER PRIMARY KEY REFERENCES chat (number),
    account INTEGER NOT NULL REFERENCES accounts (id),
    from_name TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_tells_of_account ON kept_tells (account, number);

-- A named channel exists as long as it has members.
CREATE TABLE channel_members (
    account INTEGER NOT NULL REFERENCES accounts (id),
    channel TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (account, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX channel_members_in ON channel_members (channel);

-- Accounts whose chat lines still have to change, a few lines at a time, newest first: texts are
-- erased after the account was deleted, or the lines get the new name of a renamed account.
CREATE TABLE chat_rewrites (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id),
    old_name TEXT NOT NULL,
    is_erased INTEGER NOT NULL,
    below INTEGER NOT NULL, -- the lines from this number on are done
    until INTEGER NOT NULL -- direct messages are renamed up to this line
) STRICT;

-- == People ==

CREATE TABLE friends (
    account INTEGER NOT NULL REFERENCES accounts (id),
    friend INTEGER NOT NULL REFERENCES accounts (id),
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (account, friend)
) STRICT, WITHOUT ROWID;
CREATE INDEX friends_toward ON friends (friend);

-- Blocks: the account does not want to read lines of the other one (kind 0), or to play with it
-- (1).
CREATE TABLE regards (
    account INTEGER NOT NULL REFERENCES accounts (id),
    other INTEGER NOT NULL REFERENCES accounts (id),
    kind INTEGER NOT NULL,
    PRIMARY KEY (account, kind, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX regards_toward ON regards (other, kind);

-- == Moderation ==

CREATE TABLE sanctions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (id),
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    scopes INTEGER NOT NULL,
    reason TEXT NOT NULL,
    note TEXT NOT NULL,
    by_name TEXT NOT NULL,
    by_role INTEGER NOT NULL,
    audit INTEGER NOT NULL, -- the row of the audit log
    since_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    ended_ms INTEGER NOT NULL, -- 0: in force
    ended_by TEXT NOT NULL,
    appeal TEXT NOT NULL,
    appeal_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX sanctions_of_account ON sanctions (account, id);
CREATE INDEX sanctions_on_account ON sanctions (account) WHERE ended_ms = 0;
CREATE INDEX sanctions_on_key ON sanctions (fingerprint) WHERE ended_ms = 0 AND fingerprint <> '';
CREATE INDEX sanctions_on_address ON sanctions (id) WHERE ended_ms = 0 AND address <> '';
CREATE INDEX sanctions_ending ON sanctions (until_ms) WHERE ended_ms = 0;

-- What identifies the person behind a sanction in force: networks that the person came from
-- ("192.0.2.7", "2001:db8:0:1::/64") and fingerprints of keys.
CREATE TABLE sanction_sources (
    sanction INTEGER NOT NULL REFERENCES sanctions (id),
    source TEXT NOT NULL,
    PRIMARY KEY (sanction, source)
) STRICT, WITHOUT ROWID;
CREATE INDEX sanction_sources_at ON sanction_sources (source);

-- Reports and appeals.
CREATE TABLE reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    by_account INTEGER REFERENCES accounts (id),
    by_name TEXT NOT NULL,
    about_account INTEGER REFERENCES accounts (id),
    about_name TEXT NOT NULL,
    category TEXT NOT NULL,
    text TEXT NOT NULL,
    table_id INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    line_first INTEGER NOT NULL,
    line_last INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    state INTEGER NOT NULL,
    staff_name TEXT NOT NULL,
    answer TEXT NOT NULL,
    closed_ms INTEGER NOT NULL,
    -- what an appeal is against; NULL: a report, or an appeal of a pending account
    sanction INTEGER REFERENCES sanctions (id),
    read_ms INTEGER NOT NULL DEFAULT 0 -- when the author read the answer; 0: not yet
) STRICT;
CREATE INDEX reports_open ON reports (id) WHERE state < 2;
CREATE INDEX reports_by ON reports (by_account, at_ms);
CREATE INDEX reports_against ON reports (sanction, id) WHERE sanction IS NOT NULL;
CREATE INDEX reports_unread ON reports (by_account, id) WHERE state >= 2 AND read_ms = 0;

-- Notes of staff for each other, about an account, a guest or a report.
CREATE TABLE staff_notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER REFERENCES accounts (id),
    report INTEGER NOT NULL, -- 0: the note is about an account or a guest
    by_name TEXT NOT NULL,
    text TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    net TEXT NOT NULL DEFAULT '' -- a guest's network; '': the note is about an account or a report
) STRICT;
CREATE INDEX staff_notes_of_account ON staff_notes (account, id) WHERE report = 0;
CREATE INDEX staff_notes_of_report ON staff_notes (report, id) WHERE report <> 0;
CREATE INDEX staff_notes_of_net ON staff_notes (net, id) WHERE net <> '';

-- Who took a decision in force about an account, a chat or a name: staff with a lower role must not
-- change it.
CREATE TABLE decisions (
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    by_role INTEGER NOT NULL,
    by_name TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

-- Rules of the house that staff change while it is open.
CREATE TABLE rules (
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

-- The audit log: actions of staff and of the house, and reports. The hash of a row covers the row
-- before it, so that a changed or missing row is detected (storage/mod/mod.h).
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    actor INTEGER NOT NULL,
    actor_name TEXT NOT NULL,
    actor_role TEXT NOT NULL,
    session INTEGER NOT NULL,
    address TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    via TEXT NOT NULL,
    verb TEXT NOT NULL,
    arguments TEXT NOT NULL,
    target_type TEXT NOT NULL,
    target_id INTEGER NOT NULL,
    target_name TEXT NOT NULL,
    scope TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    reason TEXT NOT NULL,
    note TEXT NOT NULL,
    report INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    line_first INTEGER NOT NULL,
    line_last INTEGER NOT NULL,
    state_before TEXT NOT NULL,
    state_after TEXT NOT NULL,
    result TEXT NOT NULL,
    error TEXT NOT NULL,
    reverses INTEGER NOT NULL,
    previous BLOB NOT NULL CHECK (length(previous) = 32),
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- Rows of the audit log are never changed, but for sealing, or deleted, and their numbers ascend.
CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log keeps its rows');
END;
CREATE TRIGGER audit_changes_nothing BEFORE UPDATE OF
    id, at_ms, actor, actor_name, actor_role, session, via, verb, target_type, target_id, scope,
    duration_ms, expires_ms, reason, note, report, table_id, game_id, line_first, line_last, result,
    error, reverses, previous, hash ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log changes no row');
END;
CREATE TRIGGER audit_only_seals BEFORE UPDATE OF
    address, fingerprint, arguments, target_name, state_before, state_after ON audit
WHEN NEW.address <> OLD.address AND (length(NEW.address) <> 33 OR NEW.address NOT LIKE '#%')
    OR NEW.fingerprint <> OLD.fingerprint
        AND (length(NEW.fingerprint) <> 33 OR NEW.fingerprint NOT LIKE '#%')
    OR NEW.arguments <> OLD.arguments
        AND (length(NEW.arguments) <> 33 OR NEW.arguments NOT LIKE '#%')
    OR NEW.target_name <> OLD.target_name
        AND (length(NEW.target_name) <> 33 OR NEW.target_name NOT LIKE '#%')
    OR NEW.state_before <> OLD.state_before
        AND (length(NEW.state_before) <> 33 OR NEW.state_before NOT LIKE '#%')
    OR NEW.state_after <> OLD.state_after
        AND (length(NEW.state_after) <> 33 OR NEW.state_after NOT LIKE '#%')
BEGIN
    SELECT RAISE(ABORT, 'the audit log changes no row');
END;
CREATE TRIGGER audit_goes_on BEFORE INSERT ON audit
WHEN NEW.id <= (SELECT max(id) FROM audit)
BEGIN
    SELECT RAISE(ABORT, 'the audit log only goes on');
END;

-- == Webhooks ==

-- Where players want to receive events while they are away.
CREATE TABLE hooks (
    account INTEGER PRIMARY KEY REFERENCES accounts (id),
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    events INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    is_off INTEGER NOT NULL,
    given_up INTEGER NOT NULL
) STRICT;

-- The queue of events to send. An event that tells somebody that it is their turn stays until the
-- turn is over (is_done), so that it is sent only once.
CREATE TABLE hook_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES hooks (account) ON DELETE CASCADE,
    event INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    step INTEGER NOT NULL,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_ms INTEGER NOT NULL,
    is_done INTEGER NOT NULL
) STRICT;
CREATE INDEX hook_events_due ON hook_events (next_ms, id) WHERE is_done = 0;
CREATE INDEX hook_events_of ON hook_events (account, id);
CREATE INDEX hook_events_at ON hook_events (table_id, seat);

-- == Ratings and leaderboards ==

-- The ratings of an account in a game: of all time, and of each season.
CREATE TABLE ratings (
    account INTEGER NOT NULL REFERENCES accounts (id),
    game TEXT NOT NULL,
    season INTEGER NOT NULL, -- 0: all time
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
-- The leaderboards are made from it alone.
CREATE INDEX ratings_in ON ratings (game, season, account, mu, sigma, rated_ms, games);

-- How each rated game changed the ratings of its players, of all time and of the season, with
-- everything that statistics need.
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
    players INTEGER NOT NULL DEFAULT 0,
    rank INTEGER NOT NULL DEFAULT 0,
    win REAL NOT NULL DEFAULT 0,
    stat_hits INTEGER NOT NULL DEFAULT 0,
    stat_chances INTEGER NOT NULL DEFAULT 0,
    has_left INTEGER NOT NULL DEFAULT 0,
    is_bot INTEGER NOT NULL DEFAULT 0,
    played REAL NOT NULL DEFAULT 1,
    doubtful INTEGER NOT NULL DEFAULT 0,
    season INTEGER NOT NULL DEFAULT 0,
    season_mu_before REAL NOT NULL DEFAULT 0,
    season_sigma_before REAL NOT NULL DEFAULT 0,
    season_mu_after REAL NOT NULL DEFAULT 0,
    season_sigma_after REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (game_id, seat)
) STRICT, WITHOUT ROWID;
-- A change over the last week is found in this index alone.
CREATE INDEX rating_changes_of_account ON rating_changes
    (account, game, at_ms, mu_before, season, season_mu_before);

-- Sums over the rated games of an account with a number of players.
CREATE TABLE tallies (
    account INTEGER NOT NULL REFERENCES accounts (id),
    game TEXT NOT NULL,
    span INTEGER NOT NULL, -- 0: all time; a season: its number; a day: minus its number since 1970
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

-- Rating points given back to accounts, stored so that a re-rating keeps them.
CREATE TABLE refunds (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id),
    game TEXT NOT NULL,
    game_id INTEGER NOT NULL REFERENCES games (id),
    season INTEGER NOT NULL, -- 0: all time
    at_ms INTEGER NOT NULL,
    mu REAL NOT NULL,
    -- who had won the points, so that none is given back twice; NULL: all opponents
    lost_to INTEGER REFERENCES accounts (id)
) STRICT;
CREATE INDEX refunds_in ON refunds (game_id);
CREATE INDEX refunds_of ON refunds (account, game, season, at_ms);

-- Re-rating jobs: all games of a game (void_id NULL), or the games after one that was declared
-- void. The games up to (at_ms, after_id) are done; accounts follow.
CREATE TABLE reratings (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    void_id INTEGER REFERENCES games (id),
    phase INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    after_id INTEGER NOT NULL
) STRICT;

-- Results of the running re-rating job so far.
CREATE TABLE rerated (
    account INTEGER NOT NULL REFERENCES accounts (id),
    season INTEGER NOT NULL, -- 0: all time
    mu REAL NOT NULL,
    sigma REAL NOT NULL, -- as of as_of_ms
    as_of_ms INTEGER NOT NULL,
    PRIMARY KEY (account, season)
) STRICT, WITHOUT ROWID;
