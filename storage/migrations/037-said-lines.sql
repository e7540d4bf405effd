-- What the house says in the lobby and at tables, as JSON of the sentence and its arguments
-- (lobby/house/say.h): sessions word it in their languages. Lines from before have English text alone.
ALTER TABLE chat ADD COLUMN say TEXT NOT NULL DEFAULT '';
