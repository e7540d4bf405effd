-- An account that was deleted or became part of another is closed: nobody signs in as it, it stands
-- on no list, and nothing is kept for it. Ratings that came back to one when a game of its was
-- declared void are gone again.
ALTER TABLE accounts ADD COLUMN is_closed INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET is_closed = 1 WHERE id IN (SELECT target_id FROM audit
    WHERE result = 'ok' AND target_type = 'user' AND verb IN ('delete', 'merge'));
DELETE FROM ratings WHERE account IN (SELECT id FROM accounts WHERE is_closed = 1);
DELETE FROM season_ratings WHERE account IN (SELECT id FROM accounts WHERE is_closed = 1);
DELETE FROM standings WHERE account IN (SELECT id FROM accounts WHERE is_closed = 1);
DELETE FROM tallies WHERE account IN (SELECT id FROM accounts WHERE is_closed = 1);
DELETE FROM kept_tells WHERE account IN (SELECT id FROM accounts WHERE is_closed = 1);
