-- Answers to requests, committed with what the requests did, so that one repeated to a later core
-- is answered and not done again (lobby/house/answers_kept.h): those of one commit in one row, sealed.
CREATE TABLE answers (
    number INTEGER PRIMARY KEY,
    sealed BLOB NOT NULL
) STRICT;
