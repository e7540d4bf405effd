-- Lines of chat that are still to follow their account, some at a time: their texts are taken away
-- when it is gone (is_erased; those from `below` on are done), and private lines, which are found by
-- name, go with another name of it, those up to line `until`.
CREATE TABLE chat_rewrites (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id),
    old_name TEXT NOT NULL,
    is_erased INTEGER NOT NULL,
    below INTEGER NOT NULL,
    until INTEGER NOT NULL
) STRICT;

CREATE INDEX friends_toward ON friends (friend);
