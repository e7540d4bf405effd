-- Why somebody who keeps order watches their table unseen, so that its people are told whatever
-- happens meanwhile.

ALTER TABLE connections ADD COLUMN observes TEXT NOT NULL DEFAULT '';
