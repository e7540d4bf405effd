#include "storage/mod/reports.h"

#include "storage/sql/sql.h"

#define REPORT_COLUMNS                                                                             \
    "id, by_account, by_name, about_account, about_name, category, text, table_id, game_id,"       \
    " line_first, line_last, at_ms, state, staff_name, answer, closed_ms, sanction, read_ms"
#define SELECT_REPORTS "SELECT " REPORT_COLUMNS " FROM reports "

enum storage_result storage_report_add(struct storage *storage, const struct storage_report *report,
                                       int64_t *id)
{
    struct sql q =
        sql_write(storage, "INSERT INTO reports (by_account, by_name, about_account, about_name,"
                           " category, text, table_id, game_id, line_first, line_last, at_ms,"
                           " sanction, state, staff_name, answer, closed_ms)"
                           " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', '', 0)");

    sql_bind_id(&q, report->by_account);
    sql_bind_text(&q, report->by_name, sizeof report->by_name);
    sql_bind_id(&q, report->about_account);
    sql_bind_text(&q, report->about_name, sizeof report->about_name);
    sql_bind_text(&q, report->category, sizeof report->category);
    sql_bind_text(&q, report->text, sizeof report->text);
    sql_bind_int(&q, report->table);
    sql_bind_int(&q, report->game);
    sql_bind_int(&q, report->line_first);
    sql_bind_int(&q, report->line_last);
    sql_bind_int(&q, report->at_ms);
    sql_bind_id(&q, report->sanction);
    return sql_run_new(&q, id);
}

static void take_report(struct sql *q, struct storage_report *report)
{
    *report = (struct storage_report){.id = sql_int(q)};
    report->by_account = sql_int(q);
    sql_text(q, report->by_name, sizeof report->by_name);
    report->about_account = sql_int(q);
    sql_text(q, report->about_name, sizeof report->about_name);
    sql_text(q, report->category, sizeof report->category);
    sql_text(q, report->text, sizeof report->text);
    report->table = sql_int(q);
    report->game = sql_int(q);
    report->line_first = sql_int(q);
    report->line_last = sql_int(q);
    report->at_ms = sql_int(q);
    report->state = (enum storage_report_state)sql_choice(q, STORAGE_REPORT_STATE_LAST);
    sql_text(q, report->staff_name, sizeof report->staff_name);
    sql_text(q, report->answer, sizeof report->answer);
    report->closed_ms = sql_int(q);
    report->sanction = sql_int(q);
    report->read_ms = sql_int(q);
}

enum storage_result storage_report_read(struct storage *storage, int64_t id,
                                        struct storage_report *report)
{
    struct sql q = sql_read(storage, SELECT_REPORTS "WHERE id = ?");

    sql_bind_int(&q, id);
    if (sql_first(&q)) {
        take_report(&q, report);
    }
    return sql_end(&q);
}

enum storage_result storage_report_save(struct storage *storage,
                                        const struct storage_report *report)
{
    struct sql q = sql_write(storage, "UPDATE reports SET state = ?, staff_name = ?, answer = ?,"
                                      " closed_ms = ?, read_ms = ? WHERE id = ?");

    sql_bind_int(&q, report->state);
    sql_bind_text(&q, report->staff_name, sizeof report->staff_name);
    sql_bind_text(&q, report->answer, sizeof report->answer);
    sql_bind_int(&q, report->closed_ms);
    sql_bind_int(&q, report->read_ms);
    sql_bind_int(&q, report->id);
    return sql_run_on_row(&q);
}

enum storage_result storage_reports_count(struct storage *storage, int64_t by_account,
                                          int64_t since_ms, uint32_t *count)
{
    struct sql q = sql_read(storage, "SELECT count(*) FROM reports WHERE by_account = ?"
                                     " AND at_ms >= ? AND category <> 'appeal'");

    *count = 0;
    sql_bind_int(&q, by_account);
    sql_bind_int(&q, since_ms);
    if (sql_first(&q)) {
        *count = (uint32_t)sql_int(&q);
    }
    return sql_end(&q);
}

static enum storage_result each_report(struct sql *q, storage_report_row *row, void *context)
{
    struct storage_report report;
    bool goes_on = true;

    while (goes_on && sql_row(q)) {
        take_report(q, &report);
        goes_on = row(context, &report);
    }
    return sql_end(q);
}

enum storage_result storage_reports_open(struct storage *storage, storage_report_row *row,
                                         void *context)
{
    struct sql q = sql_read(storage, SELECT_REPORTS "WHERE state < 2 ORDER BY id");

    return each_report(&q, row, context);
}

enum storage_result storage_reports_all(struct storage *storage, storage_report_row *row,
                                        void *context)
{
    struct sql q = sql_read(storage, SELECT_REPORTS "ORDER BY id DESC");

    return each_report(&q, row, context);
}

enum storage_result storage_reports_by(struct storage *storage, int64_t account,
                                       storage_report_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_REPORTS "WHERE by_account = ? ORDER BY at_ms DESC");

    sql_bind_int(&q, account);
    return each_report(&q, row, context);
}

enum storage_result storage_reports_unread(struct storage *storage, int64_t account,
                                           storage_report_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_REPORTS "WHERE by_account = ? AND state >= 2"
                                                    " AND read_ms = 0 ORDER BY id");

    sql_bind_int(&q, account);
    return each_report(&q, row, context);
}

enum storage_result storage_appeal_newest(struct storage *storage, int64_t sanction,
                                          int64_t account, struct storage_report *report)
{
    struct sql q = sanction != 0 ? sql_read(storage, SELECT_REPORTS "WHERE sanction = ?"
                                                                    " ORDER BY id DESC LIMIT 1")
                                 : sql_read(storage, SELECT_REPORTS
                                            "WHERE by_account = ? AND category = 'appeal'"
                                            " AND sanction IS NULL ORDER BY id DESC LIMIT 1");

    sql_bind_int(&q, sanction != 0 ? sanction : account);
    if (sql_first(&q)) {
        take_report(&q, report);
    }
    return sql_end(&q);
}

enum storage_result storage_note_add(struct storage *storage, const struct storage_note *note)
{
    struct sql q = sql_write(storage, "INSERT INTO staff_notes (account, report, by_name, text,"
                                      " at_ms, net) VALUES (?, ?, ?, ?, ?, ?)");

    sql_bind_id(&q, note->account);
    sql_bind_int(&q, note->report);
    sql_bind_text(&q, note->by_name, sizeof note->by_name);
    sql_bind_text(&q, note->text, sizeof note->text);
    sql_bind_int(&q, note->at_ms);
    sql_bind_text(&q, note->net, sizeof note->net);
    return sql_run(&q);
}

#define SELECT_NOTES "SELECT account, report, by_name, text, at_ms, net FROM staff_notes WHERE "

/* Whose notes they are is bound. */
static enum storage_result each_note(struct sql *q, storage_note_row *row, void *context)
{
    struct storage_note note;
    bool goes_on = true;

    while (goes_on && sql_row(q)) {
        note = (struct storage_note){.account = sql_int(q)};
        note.report = sql_int(q);
        sql_text(q, note.by_name, sizeof note.by_name);
        sql_text(q, note.text, sizeof note.text);
        note.at_ms = sql_int(q);
        sql_text(q, note.net, sizeof note.net);
        goes_on = row(context, &note);
    }
    return sql_end(q);
}

enum storage_result storage_notes_of_account(struct storage *storage, int64_t account,
                                             storage_note_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_NOTES "account = ? AND report = 0 ORDER BY id");

    sql_bind_int(&q, account);
    return each_note(&q, row, context);
}

enum storage_result storage_notes_of_net(struct storage *storage, const char *net,
                                         storage_note_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_NOTES "net = ? AND net <> '' ORDER BY id");

    sql_bind_text(&q, net, STORAGE_ADDRESS_SIZE);
    return each_note(&q, row, context);
}

enum storage_result storage_notes_of_report(struct storage *storage, int64_t report,
                                            storage_note_row *row, void *context)
{
    struct sql q = sql_read(storage, SELECT_NOTES "report = ? AND report <> 0 ORDER BY id");

    sql_bind_int(&q, report);
    return each_note(&q, row, context);
}
