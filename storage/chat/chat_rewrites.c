#include "storage/chat/chat_rewrites.h"

#include "storage/sql/rows.h"

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
    struct sql q =
        sql_read(storage, ROW_SELECT("chat_rewrites", REWRITE_COLUMNS) " ORDER BY id LIMIT 1");

    return read_rewrite(&q, rewrite);
}

/* Finds the account's next lines to erase: their number, and the oldest of them. */
static enum storage_result find_lines_to_erase(struct storage *storage,
                                               const struct rewrite *rewrite, int64_t most,
                                               int64_t *count, int64_t *oldest)
{
    struct sql q = sql_read(storage, "SELECT count(*), ifnull(min(number), 0) FROM (SELECT number"
                                     " FROM chat WHERE account = ? AND number < ?"
                                     " ORDER BY number DESC LIMIT ?)");

    sql_bind_int(&q, rewrite->account);
    sql_bind_int(&q, rewrite->below);
    sql_bind_int(&q, most);
    if (sql_first(&q)) {
        *count = sql_int(&q);
        *oldest = sql_int(&q);
    }
    return sql_end(&q);
}

static enum storage_result erase_lines(struct storage *storage, const struct rewrite *rewrite,
                                       int64_t oldest)
{
    struct sql q = sql_write(storage, "UPDATE chat SET text = '', hidden_ms = 1, from_name ="
                                      " (SELECT name FROM accounts WHERE id = ?1)"
                                      " WHERE account = ?1 AND number >= ?2 AND number < ?3");

    sql_bind_int(&q, rewrite->account);
    sql_bind_int(&q, oldest);
    sql_bind_int(&q, rewrite->below);
    const enum storage_result result = sql_run(&q);
    if (result != STORAGE_OK) {
        return result;
    }
    q = sql_write(storage, "UPDATE chat_rewrites SET below = ? WHERE id = ?");
    sql_bind_int(&q, oldest);
    sql_bind_int(&q, rewrite->id);
    return sql_run(&q);
}

/* A rewritten line no longer has the old name, so the same search finds the remaining lines. */
static enum storage_result rename_direct_messages(struct storage *storage, const char *count,
                                                  const char *update, const struct rewrite *rewrite,
                                                  int64_t *left)
{
    int64_t found = 0;
    struct sql q = sql_read(storage, count);

    sql_bind_text(&q, rewrite->old_name, sizeof rewrite->old_name);
    sql_bind_int(&q, rewrite->until);
    sql_bind_int(&q, *left);
    if (sql_first(&q)) {
        found = sql_int(&q);
    }
    enum storage_result result = sql_end(&q);
    if (result == STORAGE_OK && found > 0) {
        q = sql_write(storage, update);
        sql_bind_text(&q, rewrite->old_name, sizeof rewrite->old_name);
        sql_bind_int(&q, rewrite->until);
        sql_bind_int(&q, *left);
        sql_bind_int(&q, rewrite->account);
        result = sql_run(&q);
    }
    *left -= found;
    return result;
}

#define TOLD(column)                                                                               \
    "(SELECT number FROM chat WHERE " column                                                       \
    " = ?1 AND channel = 2 AND number <= ?2 ORDER BY number DESC LIMIT ?3)"
#define COUNT_TOLD(column) "SELECT count(*) FROM " TOLD(column)
#define RENAME_TOLD(column)                                                                        \
    "UPDATE chat SET " column                                                                      \
    " = (SELECT name FROM accounts WHERE id = ?4) WHERE number IN " TOLD(column)

static enum storage_result end_rewrite(struct storage *storage, int64_t id)
{
    struct sql q = sql_write(storage, "DELETE FROM chat_rewrites WHERE id = ?");

    sql_bind_int(&q, id);
    return sql_run(&q);
}

/* Continues one rewrite; *left is how many more lines may be rewritten. */
static enum storage_result continue_rewrite(struct storage *storage, const struct rewrite *rewrite,
                                            int64_t *left)
{
    int64_t count = 0, oldest = 0;
    enum storage_result result = STORAGE_OK;

    if (rewrite->is_erased) {
        result = find_lines_to_erase(storage, rewrite, *left, &count, &oldest);
        if (result == STORAGE_OK && count > 0) {
            result = erase_lines(storage, rewrite, oldest);
        }
        *left -= count;
    }
    if (result == STORAGE_OK && *left > 0) {
        result = rename_direct_messages(storage, COUNT_TOLD("to_name"), RENAME_TOLD("to_name"),
                                        rewrite, left);
    }
    if (result == STORAGE_OK && *left > 0) {
        result = rename_direct_messages(storage, COUNT_TOLD("from_name"), RENAME_TOLD("from_name"),
                                        rewrite, left);
    }
    if (result == STORAGE_OK && *left > 0) {
        result = end_rewrite(storage, rewrite->id);
    }
    return result;
}

enum storage_result storage_chat_rewrite(struct storage *storage, size_t most, bool *is_more)
{
    struct rewrite rewrite = {0};
    int64_t left = (int64_t)most;
    enum storage_result result = read_first_rewrite(storage, &rewrite);

    while (result == STORAGE_OK && left > 0) {
        result = continue_rewrite(storage, &rewrite, &left);
        if (result == STORAGE_OK) {
            result = read_first_rewrite(storage, &rewrite);
        }
    }
    *is_more = result == STORAGE_OK;
    return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
}
