#include "storage/mod/sanctions.h"

#include "storage/mod/sources.h"
#include "storage/sql/rows.h"

ROWS(sanction, struct storage_sanction, STORAGE_SANCTION_COLUMNS);

#define SELECT_SANCTIONS ROW_SELECT("sanctions", STORAGE_SANCTION_COLUMNS) " WHERE "

enum storage_result storage_sanction_add(struct storage *storage,
                                         const struct storage_sanction *sanction, int64_t *id)
{
    struct storage_sanction added = *sanction;
    struct sql q = sql_write(storage, ROW_INSERT_NEW("sanctions", STORAGE_SANCTION_COLUMNS));

    added.ended_ms = added.appeal_ms = 0;
    added.ended_by[0] = added.appeal[0] = '\0';
    bind_new_sanction(&q, &added);
    return sql_run_new(&q, id);
}

enum storage_result storage_sanction_read(struct storage *storage, int64_t id,
                                          struct storage_sanction *sanction)
{
    struct sql q = sql_read(storage, SELECT_SANCTIONS "id = ?");

    sql_bind_int(&q, id);
    return read_sanction(&q, sanction);
}

/* Sets a time and a text of a sanction that has not ended. The statement `text` has three
 * arguments: time, text, sanction. */
static enum storage_result set_time_and_text(struct storage *storage, const char *text, int64_t id,
                                             int64_t ms, const char *words, size_t size)
{
    struct sql q = sql_write(storage, text);

    sql_bind_int(&q, ms);
    sql_bind_text(&q, words, size);
    sql_bind_int(&q, id);
    return sql_run_on_row(&q);
}

enum storage_result storage_sanction_end(struct storage *storage, int64_t id, int64_t ended_ms,
                                         const char *ended_by)
{
    static const char text[] = "UPDATE sanctions SET ended_ms = ?, ended_by = ?"
                               " WHERE id = ? AND ended_ms = 0";
    enum storage_result result =
        set_time_and_text(storage, text, id, ended_ms, ended_by, STORAGE_NAME_SIZE);
    return result == STORAGE_OK ? storage_sources_delete(storage, id) : result;
}

enum storage_result storage_sanction_edit(struct storage *storage,
                                          const struct storage_sanction *sanction)
{
    struct sql q = sql_write(storage, "UPDATE sanctions SET until_ms = ?, reason = ?, by_name = ?,"
                                      " by_role = ?, audit = ? WHERE id = ? AND ended_ms = 0");

    sql_bind_int(&q, sanction->until_ms);
    sql_bind_text(&q, sanction->reason, sizeof sanction->reason);
    sql_bind_text(&q, sanction->by_name, sizeof sanction->by_name);
    sql_bind_int(&q, sanction->by_role);
    sql_bind_int(&q, sanction->audit);
    sql_bind_int(&q, sanction->id);
    return sql_run_on_row(&q);
}

enum storage_result storage_sanction_set_appeal(struct storage *storage, int64_t id,
                                                int64_t appeal_ms, const char *appeal)
{
    static const char text[] = "UPDATE sanctions SET appeal_ms = ?, appeal = ?"
                               " WHERE id = ? AND ended_ms = 0";
    return set_time_and_text(storage, text, id, appeal_ms, appeal, STORAGE_REASON_SIZE);
}

enum storage_result storage_sanctions_of_account(struct storage *storage, int64_t account,
                                                 storage_sanction_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_SANCTIONS "account = ? ORDER BY id DESC");

    sql_bind_int(&q, account);
    return each_sanction(&q, row, context);
}

enum storage_result storage_sanctions_on_person(struct storage *storage, int64_t account,
                                                const char *name, storage_sanction_row *row,
                                                void *context)
{
    struct sql q = sql_read(storage, SELECT_SANCTIONS "account IS ?1 AND ended_ms = 0"
                                                      " AND (?1 IS NOT NULL OR name = ?2)"
                                                      " ORDER BY id");

    sql_bind_id(&q, account);
    sql_bind_text(&q, name, STORAGE_NAME_SIZE);
    return each_sanction(&q, row, context);
}

enum storage_result storage_sanctions_on_key(struct storage *storage, const char *fingerprint,
                                             storage_sanction_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_SANCTIONS "fingerprint = ? AND ended_ms = 0"
                                                      " AND fingerprint <> '' ORDER BY id");

    sql_bind_text(&q, fingerprint, STORAGE_FINGERPRINT_SIZE);
    return each_sanction(&q, row, context);
}

enum storage_result storage_sanctions_on_addresses(struct storage *storage,
                                                   storage_sanction_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_SANCTIONS "ended_ms = 0 AND address <> '' ORDER BY id");

    return each_sanction(&q, row, context);
}

enum storage_result storage_sanctions_in_force(struct storage *storage, uint32_t kinds,
                                               storage_sanction_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_SANCTIONS "ended_ms = 0 AND (?1 >> kind & 1) <> 0"
                                                      " ORDER BY id DESC");

    sql_bind_int(&q, kinds);
    return each_sanction(&q, row, context);
}

enum storage_result storage_sanctions_ending(struct storage *storage, int64_t now_ms,
                                             storage_sanction_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_SANCTIONS "until_ms <= ? AND ended_ms = 0"
                                                      " ORDER BY until_ms, id");

    sql_bind_int(&q, now_ms);
    return each_sanction(&q, row, context);
}

enum storage_result storage_sanctions_next_end(struct storage *storage, int64_t *until_ms)
{
    struct sql q = sql_read(storage, "SELECT until_ms FROM sanctions WHERE ended_ms = 0"
                                     " ORDER BY until_ms LIMIT 1");

    *until_ms = STORAGE_SANCTION_FOR_GOOD;
    if (sql_row(&q)) {
        *until_ms = sql_int(&q);
    }
    return sql_end(&q);
}

enum storage_result storage_sanctions_at_source(struct storage *storage, const char *source,
                                                storage_sanction_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_SANCTIONS "ended_ms = 0 AND id IN (SELECT sanction"
                                                      " FROM sanction_sources WHERE source = ?)"
                                                      " ORDER BY id");

    sql_bind_text(&q, source, STORAGE_SOURCE_SIZE);
    return each_sanction(&q, row, context);
}
