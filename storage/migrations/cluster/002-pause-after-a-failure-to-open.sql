-- A node that held the house and could not open its data does not take it again before this time,
-- so that nodes that all cannot do not take it in turn for ever. -infinity: it has not failed.
-- ALTER TABLE would wait for the barrier of the holder even if the column is there, and every other
-- node would wait behind it.
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'cluster.nodes'::regclass
                   AND attname = 'pause_until') THEN
        ALTER TABLE cluster.nodes ADD COLUMN pause_until timestamptz NOT NULL DEFAULT '-infinity';
    END IF;
END $$;
