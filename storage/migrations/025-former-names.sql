-- What accounts were called before: found by it, and kept from others for a while.
CREATE TABLE former_names (
    account INTEGER NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    skeleton TEXT NOT NULL,
    until_ms INTEGER NOT NULL, -- it was the account's until then
    PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_names_like ON former_names (skeleton, until_ms);
CREATE INDEX former_names_called ON former_names (name, until_ms);
