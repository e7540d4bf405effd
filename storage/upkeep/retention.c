#include "storage/upkeep/upkeep.h"

/* The old lines after the last one looked at: ?1 is whether they are direct messages (channel 2),
 * ?2 their age limit, (?3, ?4) are the time and the number of that line. */
#define OLD_LINES "(channel = 2) = (?1 <> 0) AND at_ms < ?2 AND (at_ms, number) > (?3, ?4)"

/* Those of them up to the line (?5, ?6). SQLite finds lines by one lower and one upper bound of
 * at_ms, so the bounds of the batch stand here and the age limit does not. */
#define LINES_OF_BATCH                                                                             \
    "(channel = 2) = (?1 <> 0) AND at_ms >= ?3 AND at_ms <= ?5"                                    \
    " AND (at_ms, number) > (?3, ?4) AND (at_ms, number) <= (?5, ?6)"

/* Begins a statement that spares evidence among the lines of the batch. The age limit of the lines
 * also is how long evidence stays after its report was closed. */
#define WITH_EVIDENCE                                                                              \
    "WITH evidence AS MATERIALIZED (SELECT line_first, line_last, table_id FROM reports"           \
    " WHERE line_first > 0 AND (state < 2 OR closed_ms >= ?2)"                                     \
    " AND line_last >= (SELECT min(number) FROM chat WHERE " LINES_OF_BATCH ")"                    \
    " AND line_first <= (SELECT max(number) FROM chat WHERE " LINES_OF_BATCH ")) "
#define IS_NO_EVIDENCE                                                                             \
    " NOT EXISTS (SELECT 1 FROM evidence WHERE chat.number BETWEEN line_first AND line_last"       \
    " AND chat.channel = CASE evidence.table_id WHEN 0 THEN 0 ELSE 1 END"                          \
    " AND coalesce(chat.table_id, 0) = evidence.table_id)"

struct line_range {
    int64_t is_direct, before_ms;
    int64_t after_ms, after_number; /* the range begins after this line */
    int64_t end_ms, end_number;     /* and ends with this one */
};

/* Finds the last of the next `max_rows` old lines; STORAGE_NOT_FOUND when there is no old line. */
STATEMENT_INSIDE(find_end_of_batch, NUMBERS(end_ms, end_number),
                 "SELECT at_ms, number FROM (SELECT at_ms, number FROM chat"
                 " WHERE " OLD_LINES " ORDER BY at_ms, number LIMIT ?5) AS batch"
                 " ORDER BY at_ms DESC, number DESC LIMIT 1",
                 GIVEN(const struct line_range *range), GIVEN(size_t max_rows),
                 VALUE(range->is_direct), VALUE(range->before_ms), VALUE(range->after_ms),
                 VALUE(range->after_number), VALUE((int64_t)max_rows));

static enum storage_result run_on_range(struct storage *storage, const char *statement,
                                        const struct line_range *range, int64_t *changed)
{
    return sql_run_and_count(SQL_WRITE(storage, statement, SQL_INT(range->is_direct),
                                       SQL_INT(range->before_ms), SQL_INT(range->after_ms),
                                       SQL_INT(range->after_number), SQL_INT(range->end_ms),
                                       SQL_INT(range->end_number)),
                             changed);
}

/* The newest line of all is emptied instead, because the next line gets the number after it, and
 * numbers are never used again. */
static enum storage_result delete_lines(struct storage *storage, const struct line_range *range,
                                        int64_t *deleted)
{
    int64_t waiting = 0, emptied = 0;

    RETURN_FAILURE(run_on_range(storage,
                                "DELETE FROM kept_tells WHERE number IN"
                                " (SELECT number FROM chat WHERE " LINES_OF_BATCH ")",
                                range, &waiting));
    RETURN_FAILURE(run_on_range(storage,
                                WITH_EVIDENCE "DELETE FROM chat WHERE " LINES_OF_BATCH
                                              " AND number < (SELECT max(number) FROM chat)"
                                              " AND" IS_NO_EVIDENCE,
                                range, deleted));
    RETURN_FAILURE(run_on_range(storage,
                                WITH_EVIDENCE
                                "UPDATE chat SET account = NULL, from_name = '', to_name = '',"
                                " text = '', say = '', hidden_ms = 1 WHERE " LINES_OF_BATCH
                                " AND number = (SELECT max(number) FROM chat)"
                                " AND (text <> '' OR say <> '') AND" IS_NO_EVIDENCE,
                                range, &emptied));
    *deleted += emptied;
    return STORAGE_OK;
}

static enum storage_result delete_old_lines(struct storage *storage,
                                            struct storage_retention_run *run,
                                            enum storage_retention_kind kind, size_t max_rows,
                                            bool *is_done)
{
    struct line_range range = {
        .is_direct = kind == STORAGE_RETENTION_MESSAGES,
        .before_ms = run->before_ms[kind],
        .after_ms = run->seen_ms,
        .after_number = run->seen_number,
    };
    int64_t deleted = 0;
    const enum storage_result found =
        find_end_of_batch(storage, &range, max_rows, &range.end_ms, &range.end_number);

    *is_done = found == STORAGE_NOT_FOUND;
    if (found != STORAGE_OK) {
        return *is_done ? STORAGE_OK : found;
    }
    RETURN_FAILURE(delete_lines(storage, &range, &deleted));
    run->deleted[kind] += deleted;
    run->seen_ms = range.end_ms;
    run->seen_number = range.end_number;
    return STORAGE_OK;
}

/* The steps of a run. ?1 is the age limit, ?2 the most rows to change. */
static const struct step {
    enum storage_retention_kind kind;
    const char *text; /* NULL: deletes old lines */
} steps[] = {
    {STORAGE_RETENTION_CHAT, NULL},
    {STORAGE_RETENTION_MESSAGES, NULL},
    {STORAGE_RETENTION_ADDRESSES,
     "DELETE FROM sign_ins WHERE (account, address, fingerprint) IN"
     " (SELECT account, address, fingerprint FROM sign_ins WHERE last_ms < ?1 LIMIT ?2)"},
    {STORAGE_RETENTION_ADDRESSES, "DELETE FROM staff_notes WHERE id IN (SELECT id FROM staff_notes"
                                  " WHERE net <> '' AND at_ms < ?1 LIMIT ?2)"},
    /* an appeal against the ban of an address is about that address */
    {STORAGE_RETENTION_ADDRESSES,
     "UPDATE reports SET about_name = '' WHERE id IN (SELECT r.id FROM reports r"
     " JOIN sanctions s ON s.id = r.sanction WHERE r.state >= 2 AND r.closed_ms < ?1"
     " AND s.name = '' AND r.about_name <> '' LIMIT ?2)"},
    {STORAGE_RETENTION_ADDRESSES,
     "UPDATE sanctions SET address = '' WHERE id IN (SELECT id FROM sanctions"
     " WHERE address <> '' AND ended_ms <> 0 AND ended_ms < ?1 LIMIT ?2)"},
    {STORAGE_RETENTION_CASES, "DELETE FROM reports WHERE id IN (SELECT id FROM reports"
                              " WHERE state >= 2 AND closed_ms < ?1 LIMIT ?2)"},
    {STORAGE_RETENTION_CASES,
     "DELETE FROM staff_notes WHERE id IN (SELECT id FROM staff_notes WHERE at_ms < ?1"
     " AND report NOT IN (SELECT id FROM reports) LIMIT ?2)"},
    {STORAGE_RETENTION_CASES,
     "DELETE FROM sanctions WHERE id IN (SELECT id FROM sanctions WHERE ended_ms <> 0"
     " AND ended_ms < ?1 AND id NOT IN (SELECT sanction FROM reports WHERE sanction IS NOT NULL)"
     " LIMIT ?2)"},
};

static enum storage_result run_statement_step(struct storage *storage,
                                              struct storage_retention_run *run,
                                              const struct step *step, size_t max_rows,
                                              bool *is_done)
{
    int64_t changed = 0;

    RETURN_FAILURE(
        sql_run_and_count(SQL_WRITE(storage, step->text, SQL_INT(run->before_ms[step->kind]),
                                    SQL_INT((int64_t)max_rows)),
                          &changed));
    run->deleted[step->kind] += changed;
    *is_done = changed < (int64_t)max_rows;
    return STORAGE_OK;
}

static enum storage_result continue_step(struct storage *storage, struct storage_retention_run *run,
                                         size_t max_rows, bool *is_done)
{
    const struct step *step = &steps[run->step];

    *is_done = run->before_ms[step->kind] <= 0;
    if (*is_done) {
        return STORAGE_OK;
    }
    return step->text == NULL ? delete_old_lines(storage, run, step->kind, max_rows, is_done)
                              : run_statement_step(storage, run, step, max_rows, is_done);
}

enum storage_result storage_retention_continue(struct storage *storage,
                                               struct storage_retention_run *run, size_t max_rows,
                                               bool *is_done)
{
    enum storage_result result = STORAGE_OK;
    bool is_step_done = true;

    while (result == STORAGE_OK && is_step_done && run->step < ARRAY_LEN(steps)) {
        result = continue_step(storage, run, max_rows, &is_step_done);
        if (result == STORAGE_OK && is_step_done) {
            run->step++;
            run->seen_ms = run->seen_number = 0;
        }
    }
    *is_done = run->step == ARRAY_LEN(steps);
    return result;
}
