-- What opens an account once: only a hash of each code is kept, one code an account and purpose.

CREATE TABLE codes (
    account INTEGER NOT NULL REFERENCES accounts (id),
    purpose INTEGER NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    expires_ms INTEGER NOT NULL,
    PRIMARY KEY (account, purpose)
) STRICT, WITHOUT ROWID;
