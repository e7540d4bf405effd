-- What people report, what staff know of accounts, what people want of each other, and rules of
-- the house that staff change while it is open.

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
    closed_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX reports_open ON reports (id) WHERE state < 2;
CREATE INDEX reports_by ON reports (by_account, at_ms);

-- What staff write about an account or a report, for each other: `report` 0 is the account's.
CREATE TABLE staff_notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER REFERENCES accounts (id),
    report INTEGER NOT NULL,
    by_name TEXT NOT NULL,
    text TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX staff_notes_of_account ON staff_notes (account, id) WHERE report = 0;
CREATE INDEX staff_notes_of_report ON staff_notes (report, id) WHERE report <> 0;

-- Whom an account does not want to hear (kind 0) or to play with (1).
CREATE TABLE regards (
    account INTEGER NOT NULL REFERENCES accounts (id),
    other INTEGER NOT NULL REFERENCES accounts (id),
    kind INTEGER NOT NULL,
    PRIMARY KEY (account, kind, other)
) STRICT, WITHOUT ROWID;

-- From where accounts were used, and with which key.
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

CREATE TABLE rules (
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

ALTER TABLE chat ADD COLUMN hidden_ms INTEGER NOT NULL DEFAULT 0;
CREATE INDEX chat_of_account ON chat (account, number) WHERE account IS NOT NULL;
