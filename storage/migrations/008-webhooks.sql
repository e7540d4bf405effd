-- Where players want to be told of what happens while they are away, and what is waiting to be sent
-- there. A turn that was told stays until it is over, so that it is told once; it has `is_done`.

CREATE TABLE hooks (
    account INTEGER PRIMARY KEY REFERENCES accounts (id),
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    events INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    is_off INTEGER NOT NULL,
    given_up INTEGER NOT NULL
) STRICT;

CREATE TABLE hook_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account INTEGER NOT NULL REFERENCES hooks (account) ON DELETE CASCADE,
    event INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    game_id INTEGER NOT NULL,
    step INTEGER NOT NULL,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_ms INTEGER NOT NULL,
    is_done INTEGER NOT NULL
) STRICT;
CREATE INDEX hook_events_due ON hook_events (next_ms, id) WHERE is_done = 0;
CREATE INDEX hook_events_of ON hook_events (account, id);
CREATE INDEX hook_events_at ON hook_events (table_id, seat);
