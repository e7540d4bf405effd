-- The retention job (storage/upkeep/retention.h) finds old rows by their age: chat lines separately
-- from direct messages (channel 2), and sign-ins.
CREATE INDEX chat_by_age ON chat (channel = 2, at_ms);
CREATE INDEX sign_ins_by_age ON sign_ins (last_ms);

-- Closed tables no longer keep the people who were at them; their games keep who played them.
DELETE FROM table_seats WHERE table_id IN (SELECT id FROM tables WHERE state = 3);
UPDATE tables SET host = NULL, host_name = '', password_hash = '', halt_by = '', halt_why = ''
    WHERE state = 3;

-- Finds the games that ended without a result: they have no scores to find their players by.
CREATE INDEX games_cut ON games (id) WHERE state = 2;
