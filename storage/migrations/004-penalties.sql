-- How long a name has to wait after wrong passwords, and how many accounts came from where: a core
-- that begins anew forgives nobody. Names of nobody are typed too, passwords among them by mistake:
-- only a keyed hash of each is kept.

CREATE TABLE backoffs (
    name_hash TEXT PRIMARY KEY,
    failures INTEGER NOT NULL,
    until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX backoffs_in_order ON backoffs (until_ms);

CREATE TABLE registrations (
    source TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    first_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Whoever came in by a recovery code needs no old password for a new one, on that connection.
ALTER TABLE connections ADD COLUMN is_recovered INTEGER NOT NULL DEFAULT 0;
