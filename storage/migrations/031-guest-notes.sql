-- A note about a guest is about whoever comes from that network; '' for an account's or a report's.
ALTER TABLE staff_notes ADD COLUMN net TEXT NOT NULL DEFAULT '';
CREATE INDEX staff_notes_of_net ON staff_notes (net, id) WHERE net <> '';
