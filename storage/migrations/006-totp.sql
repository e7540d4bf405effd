-- What an account's authenticator makes its codes from, in base32, and the last step whose code was
-- used (RFC 6238).

CREATE TABLE totp (
    account INTEGER PRIMARY KEY REFERENCES accounts (id),
    secret TEXT NOT NULL,
    used_step INTEGER NOT NULL
) STRICT;
