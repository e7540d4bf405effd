-- What leads from a sanction in force to the person behind it: networks ("192.0.2.7",
-- "2001:db8:0:1::/64") they came from, and fingerprints of keys they showed.
CREATE TABLE sanction_sources (
    sanction INTEGER NOT NULL REFERENCES sanctions (id),
    source TEXT NOT NULL,
    PRIMARY KEY (sanction, source)
) STRICT, WITHOUT ROWID;
CREATE INDEX sanction_sources_at ON sanction_sources (source);

INSERT INTO sanction_sources (sanction, source)
SELECT sanctions.id, keys.fingerprint FROM sanctions JOIN keys ON keys.account = sanctions.account
WHERE sanctions.ended_ms = 0 AND sanctions.kind IN (1, 2, 3);

-- Guests who are in the house or were a short while ago, so that staff find who is behind a name.
CREATE TABLE guests (
    name TEXT PRIMARY KEY,
    net TEXT NOT NULL,
    address TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    transport TEXT NOT NULL,
    seen_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX guests_from ON guests (net, seen_ms);
CREATE INDEX guests_seen ON guests (seen_ms);
