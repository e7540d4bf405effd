#include "storage/chat/chat.h"

ROWS(chat, struct storage_chat, STORAGE_CHAT_COLUMNS);
ROWS(channel, struct storage_channel, STORAGE_CHANNEL_COLUMNS);
ROWS(news, struct storage_news, STORAGE_NEWS_COLUMNS);

#define SELECT_CHAT ROW_SELECT("chat", STORAGE_CHAT_COLUMNS)

/* The last direct messages from or to a name, in any order. Sent and received lines are queried
 * separately, each by its own index. The results are merged, and the newest lines are kept. */
#define LAST_DIRECT(name, count)                                                                   \
    "SELECT * FROM (SELECT * FROM (" SELECT_CHAT " WHERE from_name = " name " AND channel = 2"     \
    " ORDER BY number DESC LIMIT " count ") AS sent UNION SELECT * FROM"                           \
    " (" SELECT_CHAT " WHERE to_name = " name " AND channel = 2"                                   \
    " ORDER BY number DESC LIMIT " count ") AS received"                                           \
    " ORDER BY number DESC LIMIT " count ") AS newest"
/* The lines of a channel (?1), at a table (?2) or at none (0). PostgreSQL finds them by an index
 * only if the text of the statement says whether there is a table. */
#define LINES_OF_PLACE(table) SELECT_CHAT " WHERE channel = ?1 AND channel <> 2 AND table_id " table
#define LAST_LINES(table)                                                                          \
    "SELECT * FROM (" LINES_OF_PLACE(table) " ORDER BY number DESC LIMIT ?3) AS newest"            \
                                            " ORDER BY number"
#define RANGE_OF_LINES(table) LINES_OF_PLACE(table) " AND number BETWEEN ?3 AND ?4 ORDER BY number"
#define AT_NO_TABLE "IS NULL AND ?2 = 0"

#define STATEMENT STATEMENT_DEFINED
#include "storage/chat/chat.def"

/* Searches the newest 10000 of the lines that meet the condition. */
#define CHAT_SEARCH(condition)                                                                     \
    "SELECT * FROM (" SELECT_CHAT " WHERE " condition " ORDER BY number DESC LIMIT 10000)"         \
    " AS newest WHERE (?3 = '' OR instr(lower(text), lower(?3)) > 0) AND at_ms >= ?4"              \
    " ORDER BY number DESC LIMIT ?5"
#define SEARCH_ARGUMENTS                                                                           \
    WORDS(search->text, STORAGE_CHAT_SIZE), VALUE(search->since_ms), VALUE((int64_t)search->most)
_Static_assert(STORAGE_CHAT_LOOKED == 10000, "the SQL text CHAT_SEARCH repeats the number 10000");

/* There is no index of guests' names, so a search for a guest covers the newest 100000 lines
 * only. */
STATEMENT_INSIDE(search_lines_of_guest, EACH(chat),
                 CHAT_SEARCH("number > (SELECT coalesce(max(number), 0) FROM chat) - 100000"
                             " AND account IS NULL AND from_name = ?1 AND channel <> ?2"),
                 GIVEN(const struct storage_chat_search *search),
                 WORDS(search->guest, STORAGE_NAME_SIZE), VALUE(STORAGE_CHAT_DIRECT),
                 SEARCH_ARGUMENTS);

STATEMENT_INSIDE(search_lines_of_account, EACH(chat),
                 search->account == 0 ? CHAT_SEARCH("?1 = 0 AND channel <> ?2")
                                      : CHAT_SEARCH("account = ?1 AND channel <> ?2"),
                 GIVEN(const struct storage_chat_search *search), VALUE(search->account),
                 VALUE(STORAGE_CHAT_DIRECT), SEARCH_ARGUMENTS);

enum storage_result storage_chat_search_account(struct storage *storage,
                                                const struct storage_chat_search *search,
                                                storage_chat_row *row, void *context)
{
    return search->account == 0 && search->guest != NULL
               ? search_lines_of_guest(storage, search, row, context)
               : search_lines_of_account(storage, search, row, context);
}

STATEMENT_INSIDE(search_named_channel, EACH(chat),
                 CHAT_SEARCH("to_name = ?1 AND channel = 3 AND ?2 <> 0"),
                 GIVEN(const struct storage_chat_search *search),
                 WORDS(search->to, STORAGE_NAME_SIZE), VALUE(1), SEARCH_ARGUMENTS);

STATEMENT_INSIDE(search_place, EACH(chat),
                 CHAT_SEARCH("channel = ?1 AND table_id IS NOT DISTINCT FROM nullif(?2, 0)"
                             " AND channel <> 2"),
                 GIVEN(const struct storage_chat_search *search),
                 CHOICE(storage_chat_channel, channel), INT(table), SEARCH_ARGUMENTS);

enum storage_result storage_chat_search_channel(struct storage *storage,
                                                enum storage_chat_channel channel, int64_t table,
                                                const struct storage_chat_search *search,
                                                storage_chat_row *row, void *context)
{
    return channel == STORAGE_CHAT_CHANNEL
               ? search_named_channel(storage, search, row, context)
               : search_place(storage, search, channel, table, row, context);
}

#define REWRITE_COLUMNS(FIRST, NEXT)                                                               \
    FIRST(NUMBER, id)                                                                              \
    NEXT(NUMBER, account)                                                                          \
    NEXT(TEXT(STORAGE_NAME_SIZE), old_name)                                                        \
    NEXT(FLAG, is_erased)                                                                          \
    NEXT(NUMBER, below)                                                                            \
    NEXT(NUMBER, until)

struct rewrite {
    STORAGE_MEMBERS(REWRITE_COLUMNS)
};

ROWS(rewrite, struct rewrite, REWRITE_COLUMNS);

static enum storage_result read_first_rewrite(struct storage *storage, struct rewrite *rewrite)
{
    struct sql *q = SQL_READ(
        storage, ROW_SELECT("chat_rewrites", REWRITE_COLUMNS) " ORDER BY id LIMIT 1", SQL_NONE);

    return read_rewrite(q, rewrite);
}

/* Finds the next lines of the account to erase: sets *count to the number of these lines and
 * *oldest to the number of the oldest one. */
STATEMENT_INSIDE(find_lines_to_erase, NUMBERS(count, oldest),
                 "SELECT count(*), coalesce(min(number), 0) FROM (SELECT number"
                 " FROM chat WHERE account = ? AND number < ?"
                 " ORDER BY number DESC LIMIT ?) AS newest",
                 GIVEN(const struct rewrite *rewrite), VALUE(rewrite->account),
                 VALUE(rewrite->below), INT(max_lines));

static enum storage_result erase_lines(struct storage *storage, const struct rewrite *rewrite,
                                       int64_t oldest)
{
    RETURN_FAILURE(
        sql_run(SQL_WRITE(storage,
                          "UPDATE chat SET text = '', hidden_ms = 1, from_name ="
                          " (SELECT name FROM accounts WHERE id = ?1)"
                          " WHERE account = ?1 AND number >= ?2 AND number < ?3",
                          SQL_INT(rewrite->account), SQL_INT(oldest), SQL_INT(rewrite->below))));
    return sql_run(SQL_WRITE(storage, "UPDATE chat_rewrites SET below = ? WHERE id = ?",
                             SQL_INT(oldest), SQL_INT(rewrite->id)));
}

/* Gives at most *lines_left direct messages the account's new name. A rewritten line no longer has
 * the old name, so repeating the search finds the lines that remain. */
static enum storage_result rename_direct_messages(struct storage *storage, const char *count_query,
                                                  const char *update_query,
                                                  const struct rewrite *rewrite,
                                                  int64_t *lines_left)
{
    const int64_t max_lines = *lines_left;
    int64_t found = 0;

    RETURN_FAILURE(statement_read_number(
        SQL_READ(storage, count_query, SQL_TEXT(rewrite->old_name, sizeof rewrite->old_name),
                 SQL_INT(rewrite->until), SQL_INT(max_lines)),
        &found));
    if (found == 0) {
        return STORAGE_OK;
    }
    *lines_left = max_lines - found;
    return sql_run(
        SQL_WRITE(storage, update_query, SQL_TEXT(rewrite->old_name, sizeof rewrite->old_name),
                  SQL_INT(rewrite->until), SQL_INT(max_lines), SQL_INT(rewrite->account)));
}

#define TOLD(column)                                                                               \
    "(SELECT number FROM chat WHERE " column                                                       \
    " = ?1 AND channel = 2 AND number <= ?2 ORDER BY number DESC LIMIT ?3)"
#define COUNT_TOLD(column) "SELECT count(*) FROM " TOLD(column) " AS newest"
#define RENAME_TOLD(column)                                                                        \
    "UPDATE chat SET " column                                                                      \
    " = (SELECT name FROM accounts WHERE id = ?4) WHERE number IN " TOLD(column)

static enum storage_result end_rewrite(struct storage *storage, const struct rewrite *rewrite)
{
    if (rewrite->is_erased) {
        storage_empty_log_when_idle(storage);
    }
    return sql_run(
        SQL_WRITE(storage, "DELETE FROM chat_rewrites WHERE id = ?", SQL_INT(rewrite->id)));
}

/* Continues one rewrite; *lines_left is the number of lines that may still be rewritten in this
 * call. */
static enum storage_result continue_rewrite(struct storage *storage, const struct rewrite *rewrite,
                                            int64_t *lines_left)
{
    int64_t count = 0, oldest = 0;

    RETURN_FAILURE(rewrite->is_erased
                       ? find_lines_to_erase(storage, rewrite, *lines_left, &count, &oldest)
                       : STORAGE_OK);
    RETURN_FAILURE(count > 0 ? erase_lines(storage, rewrite, oldest) : STORAGE_OK);
    *lines_left -= count;
    RETURN_FAILURE(rename_direct_messages(storage, COUNT_TOLD("to_name"), RENAME_TOLD("to_name"),
                                          rewrite, lines_left));
    RETURN_FAILURE(rename_direct_messages(storage, COUNT_TOLD("from_name"),
                                          RENAME_TOLD("from_name"), rewrite, lines_left));
    return *lines_left > 0 ? end_rewrite(storage, rewrite) : STORAGE_OK;
}

enum storage_result storage_chat_continue_rewrites(struct storage *storage, size_t max_lines,
                                                   bool *lines_remain)
{
    struct rewrite rewrite = {0};
    int64_t lines_left = (int64_t)max_lines;
    enum storage_result result = read_first_rewrite(storage, &rewrite);

    while (result == STORAGE_OK && lines_left > 0) {
        result = continue_rewrite(storage, &rewrite, &lines_left);
        if (result == STORAGE_OK) {
            result = read_first_rewrite(storage, &rewrite);
        }
    }
    *lines_remain = result == STORAGE_OK;
    return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
}
