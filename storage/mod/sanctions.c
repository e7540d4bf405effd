#include "storage/mod/mod.h"

#include "storage/sql/sql.h"

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
    return sql_run_insertion(&q, id);
}

enum storage_result storage_sanction_read(struct storage *storage, int64_t id,
                                          struct storage_sanction *sanction)
{
    return read_sanction(SQL_READ(storage, SELECT_SANCTIONS "id = ?", SQL_INT(id)), sanction);
}

/* Sets a time and a text of a sanction in force. The SQL statement takes three arguments: time,
 * text, sanction. */
static enum storage_result set_sanction_time_and_text(struct storage *storage,
                                                      const char *statement, int64_t id, int64_t ms,
                                                      const char *text, size_t size)
{
    return sql_run_change(
        SQL_WRITE(storage, statement, SQL_INT(ms), SQL_TEXT(text, size), SQL_INT(id)));
}

enum storage_result storage_sanction_end(struct storage *storage, int64_t id, int64_t ended_ms,
                                         const char *ended_by)
{
    static const char text[] = "UPDATE sanctions SET ended_ms = ?, ended_by = ?"
                               " WHERE id = ? AND ended_ms = 0";
    RETURN_FAILURE(
        set_sanction_time_and_text(storage, text, id, ended_ms, ended_by, STORAGE_NAME_SIZE));
    return storage_sanction_sources_delete(storage, id);
}

enum storage_result storage_sanction_edit(struct storage *storage,
                                          const struct storage_sanction *sanction)
{
    return sql_run_change(
        SQL_WRITE(storage,
                  "UPDATE sanctions SET until_ms = ?, reason = ?, by_name = ?,"
                  " by_role = ?, audit = ? WHERE id = ? AND ended_ms = 0",
                  SQL_INT(sanction->until_ms), SQL_TEXT(sanction->reason, sizeof sanction->reason),
                  SQL_TEXT(sanction->by_name, sizeof sanction->by_name), SQL_INT(sanction->by_role),
                  SQL_INT(sanction->audit), SQL_INT(sanction->id)));
}

enum storage_result storage_sanction_set_appeal(struct storage *storage, int64_t id,
                                                int64_t appeal_ms, const char *appeal)
{
    static const char text[] = "UPDATE sanctions SET appeal_ms = ?, appeal = ?"
                               " WHERE id = ? AND ended_ms = 0";
    return set_sanction_time_and_text(storage, text, id, appeal_ms, appeal, STORAGE_REASON_SIZE);
}

enum storage_result storage_sanctions_list_of_account(struct storage *storage, int64_t account,
                                                      storage_sanction_row *row, void *context)
{
    return each_sanction(
        SQL_READ(storage, SELECT_SANCTIONS "account = ? ORDER BY id DESC", SQL_INT(account)), row,
        context);
}

enum storage_result storage_sanctions_list_on_person(struct storage *storage, int64_t account,
                                                     const char *name, storage_sanction_row *row,
                                                     void *context)
{
    return each_sanction(SQL_READ(storage,
                                  SELECT_SANCTIONS
                                  "account IS NOT DISTINCT FROM ?1 AND ended_ms = 0"
                                  " AND (?1 IS NOT NULL OR name = ?2) ORDER BY id",
                                  SQL_ID(account), SQL_TEXT(name, STORAGE_NAME_SIZE)),
                         row, context);
}

enum storage_result storage_sanctions_list_on_key(struct storage *storage, const char *fingerprint,
                                                  storage_sanction_row *row, void *context)
{
    return each_sanction(SQL_READ(storage,
                                  SELECT_SANCTIONS "fingerprint = ? AND ended_ms = 0"
                                                   " AND fingerprint <> '' ORDER BY id",
                                  SQL_TEXT(fingerprint, STORAGE_FINGERPRINT_SIZE)),
                         row, context);
}

enum storage_result storage_sanctions_list_on_addresses(struct storage *storage,
                                                        storage_sanction_row *row, void *context)
{
    return each_sanction(
        SQL_READ(storage, SELECT_SANCTIONS "ended_ms = 0 AND address <> '' ORDER BY id", SQL_NONE),
        row, context);
}

enum storage_result storage_sanctions_list_in_force(struct storage *storage, uint32_t kinds,
                                                    storage_sanction_row *row, void *context)
{
    return each_sanction(SQL_READ(storage,
                                  SELECT_SANCTIONS "ended_ms = 0 AND"
                                                   " (?1 >> CAST(kind AS INTEGER) & 1) <> 0"
                                                   " ORDER BY id DESC",
                                  SQL_INT(kinds)),
                         row, context);
}

enum storage_result storage_sanctions_list_due_to_end(struct storage *storage, int64_t now_ms,
                                                      storage_sanction_row *row, void *context)
{
    return each_sanction(SQL_READ(storage,
                                  SELECT_SANCTIONS "until_ms <= ? AND ended_ms = 0"
                                                   " ORDER BY until_ms, id",
                                  SQL_INT(now_ms)),
                         row, context);
}

enum storage_result storage_sanctions_read_next_end(struct storage *storage, int64_t *until_ms)
{
    struct sql q = sql_read(storage, "SELECT until_ms FROM sanctions WHERE ended_ms = 0"
                                     " ORDER BY until_ms LIMIT 1");

    return statement_read_number_or(&q, STORAGE_SANCTION_FOR_GOOD, until_ms);
}

enum storage_result storage_sanctions_list_by_source(struct storage *storage, const char *source,
                                                     storage_sanction_row *row, void *context)
{
    return each_sanction(SQL_READ(storage,
                                  SELECT_SANCTIONS "ended_ms = 0 AND id IN (SELECT sanction"
                                                   " FROM sanction_sources WHERE source = ?)"
                                                   " ORDER BY id",
                                  SQL_TEXT(source, STORAGE_SOURCE_SIZE)),
                         row, context);
}
