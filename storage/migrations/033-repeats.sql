-- A request sent again is answered out of `answers` and not done again: no line of chat and no table
-- is looked for any more by the connection and request that made it.
DROP INDEX chat_once;
DROP INDEX tables_once;
