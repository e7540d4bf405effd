#include "storage/mod/mod.h"

ROWS(audit, struct storage_audit, STORAGE_AUDIT_ALL_COLUMNS);
ROWS(sanction, struct storage_sanction, STORAGE_SANCTION_COLUMNS);
ROWS(decision, struct storage_decision, STORAGE_DECISION_COLUMNS);
ROWS(backoff, struct storage_backoff, STORAGE_BACKOFF_COLUMNS);
ROWS(registration, struct storage_registration, STORAGE_REGISTRATION_COLUMNS);
ROWS_BINDING(report, struct storage_report, STORAGE_REPORT_COLUMNS);
ROWS_BINDING(staff, struct storage_report, STORAGE_REPORT_STAFF_COLUMNS);
ROWS_TAKING(report, struct storage_report, STORAGE_REPORT_ALL_COLUMNS);
ROWS_READING(report, struct storage_report);
ROWS(note, struct storage_note, STORAGE_NOTE_COLUMNS);

#define SELECT_SANCTIONS ROW_SELECT("sanctions", STORAGE_SANCTION_COLUMNS) " WHERE "
#define SELECT_REPORTS ROW_SELECT("reports", STORAGE_REPORT_ALL_COLUMNS) " "

#define STATEMENT STATEMENT_DEFINED
#include "storage/mod/mod.def"

enum storage_result storage_sanction_sources_each(struct storage *storage,
                                                  storage_sanction_source_row *row, void *context)
{
    bool goes_on = true;
    struct sql *q = SQL_READ(storage,
                             "SELECT sanction, source FROM sanction_sources"
                             " ORDER BY sanction, source",
                             SQL_NONE);

    while (goes_on && sql_next_row(q)) {
        const int64_t sanction = sql_read_int(q);
        goes_on = row(context, sanction, sql_borrow_text(q));
    }
    return sql_end(q);
}

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

enum storage_result storage_sanction_end(struct storage *storage, int64_t id, int64_t ended_ms,
                                         const char *ended_by)
{
    RETURN_FAILURE(sql_run_change(SQL_WRITE(storage,
                                            "UPDATE sanctions SET ended_ms = ?, ended_by = ?"
                                            " WHERE id = ? AND ended_ms = 0",
                                            SQL_INT(ended_ms),
                                            SQL_TEXT(ended_by, STORAGE_NAME_SIZE), SQL_INT(id))));
    return sql_run(
        SQL_WRITE(storage, "DELETE FROM sanction_sources WHERE sanction = ?", SQL_INT(id)));
}

/* Keeps the `max_delays` delays that end last, and any that end at the same time as the earliest of
 * them; deletes the others. */
STATEMENT_INSIDE(delete_delays_beyond_limit, RUN,
                 "DELETE FROM backoffs WHERE until_ms < (SELECT until_ms FROM"
                 " backoffs ORDER BY until_ms DESC LIMIT 1 OFFSET ?)",
                 GIVEN(uint32_t max_delays), VALUE((int64_t)max_delays - 1));

enum storage_result storage_backoff_save(struct storage *storage,
                                         const struct storage_backoff *backoff, uint32_t max_delays)
{
    RETURN_FAILURE(run_backoff(
        sql_write(storage, ROW_UPSERT("backoffs", "name_hash", STORAGE_BACKOFF_COLUMNS)), backoff));
    return delete_delays_beyond_limit(storage, max_delays);
}

enum storage_result storage_report_add(struct storage *storage, const struct storage_report *report,
                                       int64_t *id)
{
    static const struct storage_report untouched; /* a new report has empty staff columns */
    struct sql q = sql_write(storage, ROW_INSERT_NEW("reports", STORAGE_REPORT_ALL_COLUMNS));

    bind_new_report(&q, report);
    bind_staff(&q, &untouched);
    return sql_run_insertion(&q, id);
}

enum storage_result storage_report_save(struct storage *storage,
                                        const struct storage_report *report)
{
    struct sql q = sql_write(
        storage, "UPDATE reports SET " ROW_SETS(STORAGE_REPORT_STAFF_COLUMNS) " WHERE id = ?");

    bind_staff(&q, report);
    sql_bind_int(&q, report->id);
    return sql_run_change(&q);
}

enum storage_result storage_reports_each(struct storage *storage, enum storage_reports which,
                                         int64_t reporter, storage_report_row *row, void *context)
{
    static const char *const texts[] = {
        [STORAGE_REPORTS_ALL] = SELECT_REPORTS "ORDER BY id DESC",
        [STORAGE_REPORTS_OPEN] = SELECT_REPORTS "WHERE state < 2 ORDER BY id",
        [STORAGE_REPORTS_OF_REPORTER] =
            SELECT_REPORTS "WHERE by_account = ? ORDER BY at_ms DESC, id DESC",
        [STORAGE_REPORTS_UNREAD] =
            SELECT_REPORTS "WHERE by_account = ? AND state >= 2 AND read_ms = 0 ORDER BY id",
    };
    struct sql q = sql_read(storage, texts[which]);

    if (which >= STORAGE_REPORTS_OF_REPORTER) {
        sql_bind_int(&q, reporter);
    }
    return each_report(&q, row, context);
}

enum storage_result storage_appeal_find_newest(struct storage *storage, int64_t sanction,
                                               int64_t account, struct storage_report *report)
{
    struct sql q = sanction != 0 ? sql_read(storage, SELECT_REPORTS "WHERE sanction = ?"
                                                                    " ORDER BY id DESC LIMIT 1")
                                 : sql_read(storage, SELECT_REPORTS
                                            "WHERE by_account = ? AND category = 'appeal'"
                                            " AND sanction IS NULL ORDER BY id DESC LIMIT 1");

    sql_bind_int(&q, sanction != 0 ? sanction : account);
    return read_report(&q, report);
}

#define SELECT_NOTES ROW_SELECT("staff_notes", STORAGE_NOTE_COLUMNS) " WHERE "

enum storage_result storage_notes_each(struct storage *storage, const struct storage_note *about,
                                       storage_note_row *row, void *context)
{
    const bool is_net = about->report == 0 && about->net[0] != '\0';
    struct sql q =
        sql_read(storage, about->report != 0 ? SELECT_NOTES "report = ? AND report <> 0 ORDER BY id"
                          : is_net           ? SELECT_NOTES "net = ? AND net <> '' ORDER BY id"
                                   : SELECT_NOTES "account = ? AND report = 0 ORDER BY id");

    if (is_net) {
        sql_bind_text(&q, about->net, sizeof about->net);
    } else {
        sql_bind_int(&q, about->report != 0 ? about->report : about->account);
    }
    return each_note(&q, row, context);
}

enum storage_result storage_rule_set(struct storage *storage, enum storage_rule kind,
                                     const char *name, int64_t value)
{
    struct sql q =
        value == 0 ? sql_write(storage, "DELETE FROM rules WHERE kind = ?1 AND name = ?2")
                   : sql_write(storage, "INSERT INTO rules (kind, name, value) VALUES (?1, ?2, ?3)"
                                        " ON CONFLICT (kind, name) DO UPDATE SET"
                                        " value = excluded.value");

    sql_bind_int(&q, kind);
    sql_bind_text(&q, name, STORAGE_RULE_NAME_SIZE);
    if (value != 0) {
        sql_bind_int(&q, value);
    }
    return sql_run(&q);
}

enum storage_result storage_rules_each(struct storage *storage, enum storage_rule kind,
                                       bool (*row)(void *context, const char *name, int64_t value),
                                       void *context)
{
    bool goes_on = true;
    struct sql *q = SQL_READ(storage, "SELECT name, value FROM rules WHERE kind = ? ORDER BY name",
                             SQL_INT(kind));

    while (goes_on && sql_next_row(q)) {
        const char *name = sql_borrow_text(q);
        goes_on = row(context, name, sql_read_int(q));
    }
    return sql_end(q);
}
