-- Keeping order: who may not do what and why, what was reported, and everything staff did.

-- What is in force against an account, an address or a key; `ended_ms` is 0 until it is over.
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
    audit INTEGER NOT NULL,
    since_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    ended_ms INTEGER NOT NULL,
    ended_by TEXT NOT NULL,
    appeal TEXT NOT NULL,
    appeal_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX sanctions_of_account ON sanctions (account, id);
CREATE INDEX sanctions_on_account ON sanctions (account) WHERE ended_ms = 0;
CREATE INDEX sanctions_on_key ON sanctions (fingerprint) WHERE ended_ms = 0 AND fingerprint <> '';
CREATE INDEX sanctions_on_address ON sanctions (id) WHERE ended_ms = 0 AND address <> '';
CREATE INDEX sanctions_ending ON sanctions (until_ms) WHERE ended_ms = 0;

-- What was done in the house's name or against its rules, and by whom. Rows are only ever added:
-- each one's hash covers the one before, so that a changed or missing row shows (storage/mod/audit.h).
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

CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log keeps its rows');
END;
CREATE TRIGGER audit_changes_nothing BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log changes no row');
END;
CREATE TRIGGER audit_goes_on BEFORE INSERT ON audit
WHEN NEW.id <= (SELECT max(id) FROM audit)
BEGIN
    SELECT RAISE(ABORT, 'the audit log only goes on');
END;
