-- Who decided what is in force for an account, a chat or a name, and how much they may: whoever may
-- less does not change it.
CREATE TABLE decisions (
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    by_role INTEGER NOT NULL,
    by_name TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;
