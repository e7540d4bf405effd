-- Who is whose friend, who talks where, what waits for whom, and whom a table takes.

CREATE TABLE friends (
    account INTEGER NOT NULL REFERENCES accounts (id),
    friend INTEGER NOT NULL REFERENCES accounts (id),
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (account, friend)
) STRICT, WITHOUT ROWID;

-- Private lines that their addressee has not been told yet.
CREATE TABLE kept_tells (
    number INTEGER PRIMARY KEY REFERENCES chat (number),
    account INTEGER NOT NULL REFERENCES accounts (id),
    from_name TEXT NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_tells_of_account ON kept_tells (account, number);

-- Channels are there as long as somebody is in them. Their lines are chat's of channel 3, with the
-- channel's name in to_name.
CREATE TABLE channel_members (
    account INTEGER NOT NULL REFERENCES accounts (id),
    channel TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    PRIMARY KEY (account, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX channel_members_in ON channel_members (channel);
CREATE INDEX chat_in_channel ON chat (to_name, number) WHERE channel = 3;

-- What a table asks of those who sit down, in rating points and percent; 0: nothing.
ALTER TABLE tables ADD COLUMN rating_min INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN rating_max INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN finished_min INTEGER NOT NULL DEFAULT 0;

-- What the house has to tell, oldest first.
CREATE TABLE news (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX games_by_end ON games (finished_ms) WHERE state = 1;
