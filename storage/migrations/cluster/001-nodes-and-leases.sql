-- What the nodes of a house tell each other, in a schema of its own beside the house's tables. Each
-- node runs all steps when it connects, so every statement leaves what is there already unchanged.
CREATE SCHEMA IF NOT EXISTS cluster;

-- fillfactor: both tables are updated all the time, and a page with room keeps the new version of
-- a row, so that no index changes.
CREATE TABLE IF NOT EXISTS cluster.nodes (
    node integer PRIMARY KEY,
    incarnation bigint NOT NULL, -- counts how often the node has registered
    owner text NOT NULL,         -- the house that registered, so that no other one takes its number
    address text NOT NULL,       -- where the other nodes reach this node's bridge: HOST:PORT
    key text NOT NULL,           -- the public key of its bridge
    version text NOT NULL,       -- of its program
    until timestamptz NOT NULL,  -- its leases have run out then, unless it beats before
    beat bigint NOT NULL         -- counts its beats
) WITH (fillfactor = 10);

CREATE TABLE IF NOT EXISTS cluster.leases (
    scope bigint PRIMARY KEY, -- 0: the house
    node integer,             -- the node that holds it; NULL: none
    epoch bigint NOT NULL,    -- counts its holders
    steps bigint NOT NULL,    -- counts the transactions under it
    left_by integer,          -- the node that had to hand it over last, and when
    left_at timestamptz
) WITH (fillfactor = 50);

INSERT INTO cluster.leases (scope, epoch, steps) VALUES (0, 0, 0) ON CONFLICT DO NOTHING;
