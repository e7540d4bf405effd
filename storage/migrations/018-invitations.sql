-- Who is asked to which table. A guest's name is never another's; a person has one, the newest.

CREATE TABLE invitations (
    name TEXT PRIMARY KEY,
    account INTEGER REFERENCES accounts (id),
    table_id INTEGER NOT NULL REFERENCES tables (id),
    until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_to ON invitations (table_id);
