-- The retention job (storage/upkeep/retention.h) finds old rows by their age: chat lines separately
-- from direct messages (channel 2), and sign-ins.
CREATE INDEX chat_by_age ON chat (channel = 2, at_ms);
CREATE INDEX sign_ins_by_age ON sign_ins (last_ms);

-- Closed tables no longer keep their password, nor what was said when their game was adjourned.
UPDATE tables SET password_hash = '', halt_by = '', halt_why = ''
    WHERE state = 3 AND (password_hash <> '' OR halt_by <> '');
