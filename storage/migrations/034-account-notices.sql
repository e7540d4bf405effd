-- What has changed in what opens an account, and none of its connections was there to be told.
-- not_by_key: whoever comes by that key has made the change, and is not who has to know.
CREATE TABLE account_notices (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id),
    at_ms INTEGER NOT NULL,
    not_by_key TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX account_notices_of ON account_notices (account, id);
