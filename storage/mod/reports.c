#include "storage/mod/mod.h"

#include "storage/sql/sql.h"

ROWS_BINDING(report, struct storage_report, STORAGE_REPORT_COLUMNS);
ROWS_BINDING(staff, struct storage_report, STORAGE_REPORT_STAFF_COLUMNS);
ROWS_TAKING(report, struct storage_report, STORAGE_REPORT_ALL_COLUMNS);
ROWS_READING(report, struct storage_report);
ROWS(note, struct storage_note, STORAGE_NOTE_COLUMNS);

#define SELECT_REPORTS ROW_SELECT("reports", STORAGE_REPORT_ALL_COLUMNS) " "

enum storage_result storage_report_add(struct storage *storage, const struct storage_report *report,
                                       int64_t *id)
{
    static const struct storage_report untouched; /* a new report has empty staff columns */
    struct sql q = sql_write(storage, ROW_INSERT_NEW("reports", STORAGE_REPORT_ALL_COLUMNS));

    bind_new_report(&q, report);
    bind_staff(&q, &untouched);
    return sql_run_insertion(&q, id);
}

enum storage_result storage_report_read(struct storage *storage, int64_t id,
                                        struct storage_report *report)
{
    return read_report(SQL_READ(storage, SELECT_REPORTS "WHERE id = ?", SQL_INT(id)), report);
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

enum storage_result storage_reports_count(struct storage *storage, int64_t by_account,
                                          int64_t since_ms, uint32_t *count)
{
    struct sql *q = SQL_READ(storage,
                             "SELECT count(*) FROM reports WHERE by_account = ?"
                             " AND at_ms >= ? AND category <> 'appeal'",
                             SQL_INT(by_account), SQL_INT(since_ms));

    *count = 0;
    return statement_read_count(q, count);
}

enum storage_result storage_reports_list_open(struct storage *storage, storage_report_row *row,
                                              void *context)
{
    return each_report(SQL_READ(storage, SELECT_REPORTS "WHERE state < 2 ORDER BY id", SQL_NONE),
                       row, context);
}

enum storage_result storage_reports_list_all(struct storage *storage, storage_report_row *row,
                                             void *context)
{
    return each_report(SQL_READ(storage, SELECT_REPORTS "ORDER BY id DESC", SQL_NONE), row,
                       context);
}

enum storage_result storage_reports_list_by_reporter(struct storage *storage, int64_t reporter,
                                                     storage_report_row *row, void *context)
{
    return each_report(SQL_READ(storage,
                                SELECT_REPORTS "WHERE by_account = ?"
                                               " ORDER BY at_ms DESC, id DESC",
                                SQL_INT(reporter)),
                       row, context);
}

enum storage_result storage_reports_list_unread_answers(struct storage *storage, int64_t reporter,
                                                        storage_report_row *row, void *context)
{
    return each_report(SQL_READ(storage,
                                SELECT_REPORTS "WHERE by_account = ? AND state >= 2"
                                               " AND read_ms = 0 ORDER BY id",
                                SQL_INT(reporter)),
                       row, context);
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

enum storage_result storage_note_add(struct storage *storage, const struct storage_note *note)
{
    return run_note(sql_write(storage, ROW_INSERT("staff_notes", STORAGE_NOTE_COLUMNS)), note);
}

#define SELECT_NOTES ROW_SELECT("staff_notes", STORAGE_NOTE_COLUMNS) " WHERE "

enum storage_result storage_notes_list_of_account(struct storage *storage, int64_t account,
                                                  storage_note_row *row, void *context)
{
    return each_note(
        SQL_READ(storage, SELECT_NOTES "account = ? AND report = 0 ORDER BY id", SQL_INT(account)),
        row, context);
}

enum storage_result storage_notes_list_of_network(struct storage *storage, const char *network,
                                                  storage_note_row *row, void *context)
{
    return each_note(SQL_READ(storage, SELECT_NOTES "net = ? AND net <> '' ORDER BY id",
                              SQL_TEXT(network, STORAGE_ADDRESS_SIZE)),
                     row, context);
}

enum storage_result storage_notes_list_of_report(struct storage *storage, int64_t report,
                                                 storage_note_row *row, void *context)
{
    return each_note(
        SQL_READ(storage, SELECT_NOTES "report = ? AND report <> 0 ORDER BY id", SQL_INT(report)),
        row, context);
}
