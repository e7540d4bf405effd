#include "storage/chat/chat.h"

#include "storage/sql/sql.h"

ROWS(chat, struct storage_chat, STORAGE_CHAT_COLUMNS);

#define SELECT_CHAT ROW_SELECT("chat", STORAGE_CHAT_COLUMNS)

enum storage_result storage_chat_add(struct storage *storage, const struct storage_chat *line,
                                     int64_t *number)
{
    return run_new_chat(sql_write(storage, ROW_INSERT_NEW("chat", STORAGE_CHAT_COLUMNS)), line,
                        number);
}

/* The lines of a channel, at a table or at none. PostgreSQL finds them by an index only if the text
 * of the statement says whether there is a table. */
#define LINES_OF_PLACE(table) SELECT_CHAT " WHERE channel = ? AND channel <> 2 AND table_id " table
#define LAST_LINES(table)                                                                          \
    "SELECT * FROM (" LINES_OF_PLACE(table) " ORDER BY number DESC LIMIT ?) AS newest"             \
                                            " ORDER BY number"
#define RANGE_OF_LINES(table) LINES_OF_PLACE(table) " AND number BETWEEN ? AND ? ORDER BY number"

/* Starts one of two statements, of which the first is for lines at no table. */
static struct sql start_lines_of_place(struct storage *storage, enum storage_chat_channel channel,
                                       int64_t table, const char *at_none, const char *at_table)
{
    struct sql q = sql_read(storage, table == 0 ? at_none : at_table);

    sql_bind_int(&q, channel);
    if (table != 0) {
        sql_bind_int(&q, table);
    }
    return q;
}

enum storage_result storage_chat_read_last(struct storage *storage,
                                           enum storage_chat_channel channel, int64_t table,
                                           size_t count, storage_chat_row *row, void *context)
{
    struct sql q =
        start_lines_of_place(storage, channel, table, LAST_LINES("IS NULL"), LAST_LINES("= ?"));

    sql_bind_int(&q, (int64_t)count);
    return each_chat(&q, row, context);
}

enum storage_result storage_chat_read_direct_messages(struct storage *storage,
                                                      const char *person_name, size_t count,
                                                      storage_chat_row *row, void *context)
{
    /* Sent and received lines are queried separately, each by its own index. The results are
     * merged, and the newest lines are kept. */
    return each_chat(SQL_READ(storage,
                              "SELECT * FROM (SELECT * FROM"
                              " (" SELECT_CHAT " WHERE from_name = ?1 AND channel = 2"
                              " ORDER BY number DESC LIMIT ?2) AS sent UNION SELECT * FROM"
                              " (" SELECT_CHAT " WHERE to_name = ?1 AND channel = 2"
                              " ORDER BY number DESC LIMIT ?2) AS received"
                              " ORDER BY number DESC LIMIT ?2) AS newest ORDER BY number",
                              SQL_TEXT(person_name, STORAGE_NAME_SIZE), SQL_INT((int64_t)count)),
                     row, context);
}

enum storage_result storage_chat_read_channel(struct storage *storage, const char *channel_name,
                                              size_t count, storage_chat_row *row, void *context)
{
    return each_chat(SQL_READ(storage,
                              "SELECT * FROM (" SELECT_CHAT " WHERE to_name = ? AND channel = 3"
                              " ORDER BY number DESC LIMIT ?) AS newest ORDER BY number",
                              SQL_TEXT(channel_name, STORAGE_NAME_SIZE), SQL_INT((int64_t)count)),
                     row, context);
}

enum storage_result storage_chat_offline_messages_each(struct storage *storage, int64_t account,
                                                       storage_chat_row *row, void *context)
{
    return each_chat(SQL_READ(storage,
                              SELECT_CHAT " WHERE number IN"
                                          " (SELECT number FROM kept_tells WHERE account = ?)"
                                          " ORDER BY number",
                              SQL_INT(account)),
                     row, context);
}

enum storage_result storage_chat_read_range(struct storage *storage,
                                            enum storage_chat_channel channel, int64_t table,
                                            const int64_t first_and_last[2], storage_chat_row *row,
                                            void *context)
{
    struct sql q = start_lines_of_place(storage, channel, table, RANGE_OF_LINES("IS NULL"),
                                        RANGE_OF_LINES("= ?"));

    sql_bind_int(&q, first_and_last[0]);
    sql_bind_int(&q, first_and_last[1]);
    return each_chat(&q, row, context);
}

static void bind_search_arguments(struct sql *q, const struct storage_chat_search *search)
{
    sql_bind_text(q, search->text, STORAGE_CHAT_SIZE);
    sql_bind_int(q, search->since_ms);
    sql_bind_int(q, (int64_t)search->most);
}

/* Searches the newest 10000 of the lines that meet the condition. */
#define CHAT_SEARCH(condition)                                                                     \
    "SELECT * FROM (" SELECT_CHAT " WHERE " condition " ORDER BY number DESC LIMIT 10000)"         \
    " AS newest WHERE (?3 = '' OR instr(lower(text), lower(?3)) > 0) AND at_ms >= ?4"              \
    " ORDER BY number DESC LIMIT ?5"
_Static_assert(STORAGE_CHAT_LOOKED == 10000, "the SQL text CHAT_SEARCH repeats the number 10000");

/* There is no index of guests' names, so a search for a guest covers the newest 100000 lines
 * only. */
#define GUESTS_LINES "number > (SELECT coalesce(max(number), 0) FROM chat) - 100000"

static enum storage_result search_lines_of_guest(struct storage *storage,
                                                 const struct storage_chat_search *search,
                                                 storage_chat_row *row, void *context)
{
    struct sql q =
        sql_read(storage, CHAT_SEARCH(GUESTS_LINES " AND account IS NULL AND from_name = ?1"
                                                   " AND channel <> ?2"));

    sql_bind_text(&q, search->guest, STORAGE_NAME_SIZE);
    sql_bind_int(&q, STORAGE_CHAT_DIRECT);
    bind_search_arguments(&q, search);
    return each_chat(&q, row, context);
}

enum storage_result storage_chat_search_account(struct storage *storage,
                                                const struct storage_chat_search *search,
                                                storage_chat_row *row, void *context)
{
    if (search->account == 0 && search->guest != NULL) {
        return search_lines_of_guest(storage, search, row, context);
    }
    struct sql q =
        sql_read(storage, search->account == 0 ? CHAT_SEARCH("?1 = 0 AND channel <> ?2")
                                               : CHAT_SEARCH("account = ?1 AND channel <> ?2"));

    sql_bind_int(&q, search->account);
    sql_bind_int(&q, STORAGE_CHAT_DIRECT);
    bind_search_arguments(&q, search);
    return each_chat(&q, row, context);
}

static enum storage_result search_named_channel(struct storage *storage,
                                                const struct storage_chat_search *search,
                                                storage_chat_row *row, void *context)
{
    struct sql q = sql_read(storage, CHAT_SEARCH("to_name = ?1 AND channel = 3 AND ?2 <> 0"));

    sql_bind_text(&q, search->to, STORAGE_NAME_SIZE);
    sql_bind_int(&q, 1);
    bind_search_arguments(&q, search);
    return each_chat(&q, row, context);
}

enum storage_result storage_chat_search_channel(struct storage *storage,
                                                enum storage_chat_channel channel, int64_t table,
                                                const struct storage_chat_search *search,
                                                storage_chat_row *row, void *context)
{
    if (channel == STORAGE_CHAT_CHANNEL) {
        return search_named_channel(storage, search, row, context);
    }
    struct sql q = sql_read(
        storage, CHAT_SEARCH("channel = ?1 AND table_id IS NOT DISTINCT FROM ?2 AND channel <> 2"));
    sql_bind_int(&q, channel);
    sql_bind_id(&q, table);
    bind_search_arguments(&q, search);
    return each_chat(&q, row, context);
}

enum storage_result storage_chat_read(struct storage *storage, int64_t number,
                                      struct storage_chat *line)
{
    return read_chat(SQL_READ(storage, SELECT_CHAT " WHERE number = ?", SQL_INT(number)), line);
}

enum storage_result storage_chat_hide(struct storage *storage, int64_t number, int64_t hidden_ms,
                                      uint8_t by_role)
{
    return sql_run_change(SQL_WRITE(storage,
                                    "UPDATE chat SET hidden_ms = ?, hidden_by = ? WHERE number = ?",
                                    SQL_INT(hidden_ms), SQL_INT(by_role), SQL_INT(number)));
}
