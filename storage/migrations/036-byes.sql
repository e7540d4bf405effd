-- What a connection is told as it is sent away. The core that sends it away may end before it tells
-- them: the next one does.
ALTER TABLE connections ADD COLUMN bye TEXT NOT NULL DEFAULT '';
