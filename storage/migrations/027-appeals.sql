-- Appeals are cases with a number, as reports are: `sanction` is what one is against, NULL for a
-- report and for an appeal against a hold. `read_ms` is 0 until the author has read the answer.
ALTER TABLE reports ADD COLUMN sanction INTEGER REFERENCES sanctions (id);
ALTER TABLE reports ADD COLUMN read_ms INTEGER NOT NULL DEFAULT 0;
CREATE INDEX reports_against ON reports (sanction, id) WHERE sanction IS NOT NULL;
CREATE INDEX reports_unread ON reports (by_account, id) WHERE state >= 2 AND read_ms = 0;

-- What was answered before was told to those who were there, and stands in their own list.
UPDATE reports SET read_ms = closed_ms WHERE state >= 2;

-- Appeals that wait for an answer.
INSERT INTO reports (by_account, by_name, about_account, about_name, category, text, table_id,
    game_id, line_first, line_last, at_ms, state, staff_name, answer, closed_ms, sanction)
    SELECT account, name, account, CASE name WHEN '' THEN address || fingerprint ELSE name END,
        'appeal', appeal, 0, 0, 0, 0, appeal_ms, 0, '', '', 0, id
        FROM sanctions WHERE ended_ms = 0 AND appeal_ms > 0 ORDER BY appeal_ms;
