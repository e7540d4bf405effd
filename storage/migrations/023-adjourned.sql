-- Who adjourned a game, first, and why; who has asked to go on with it since, and until when the
-- others have time to (0: nobody waits).
ALTER TABLE tables ADD COLUMN halt_by TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN halt_why TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN resume_asked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN resume_due_ms INTEGER NOT NULL DEFAULT 0;
