-- What the nodes of a house tell each other, in a schema of its own beside the house's tables. Each
-- node runs all steps when it connects, so no statement changes what is there already. A later step
-- that adds a column must first look whether it is there: ALTER TABLE would wait for the barrier of
-- the holder even if the column is there, and every other node would wait behind it.
CREATE SCHEMA IF NOT EXISTS cluster;

-- Rows of both tables are updated all the time. The fillfactor leaves room for the new version of a
-- row on its page, so that the index need not change.
CREATE TABLE IF NOT EXISTS cluster.nodes (
    node integer PRIMARY KEY,
    incarnation bigint NOT NULL, -- counts how often the node has registered
    owner text NOT NULL,         -- the house that registered, so that no other one takes its number
    address text NOT NULL,       -- where the other nodes reach this node's bridge: HOST:PORT
    key text NOT NULL,           -- the public key of its bridge
    version text NOT NULL,       -- of its program
    until timestamptz NOT NULL,  -- when its leases run out, unless it beats before
    beat bigint NOT NULL,        -- counts its beats
    -- A node that held the house and could not open its data does not take it again before this
    -- time. Otherwise nodes that all cannot open it would take it in turn for ever. -infinity: the
    -- node has not failed.
    pause_until timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 10);

CREATE TABLE IF NOT EXISTS cluster.leases (
    scope bigint PRIMARY KEY, -- 0: the house
    node integer,             -- the node that holds it; NULL: none
    epoch bigint NOT NULL,    -- counts its holders
    -- Counts the transactions under it. A node does not take the house from a database that knows
    -- fewer than it has seen, since that one was restored from an older copy. The count begins with
    -- the time in ms, so that a new database has more than an older one.
    steps bigint NOT NULL,
    left_by integer,          -- the node that had to hand it over last, and when
    left_at timestamptz
) WITH (fillfactor = 50);

INSERT INTO cluster.leases (scope, epoch, steps)
    VALUES (0, 0, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) ON CONFLICT DO NOTHING;
