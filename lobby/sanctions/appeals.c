#include "lobby/sanctions/sanctions.h"

#include "lobby/persons/persons.h"

#include <stdio.h>
#include <string.h>

#define ANSWERS_TOLD 20 /* the most answers sent at one sign-in; the others follow at the next */

/* The sentence about a closed case for its author: "Your report 7 about eve is closed, by max:
 * …". */
static json_t *case_answer_sentence(const struct storage_report *report)
{
    const long long id = (long long)report->id;
    bool is_granted = report->state == STORAGE_REPORT_RESOLVED;
    void *by = say_word_argument(report->staff_name);
    /* an answer that the house wrote itself can be translated */
    void *answer = say_word_argument(report->answer);
    if (strcmp(report->category, STORAGE_REPORT_APPEAL) != 0) {
        return say(_("Your report %lld about %s is closed, by %p: %p"), id, report->about_name, by,
                   answer);
    }
    return say(is_granted ? _("Your appeal %lld is granted, by %p: %p")
                          : _("Your appeal %lld is refused, by %p: %p"),
               id, by, answer);
}

/* Finds the author of the case if they are in the house, otherwise NULL. A guest is found by the
 * name they had. */
static const struct person *find_present_author(struct house *house,
                                                const struct storage_report *report)
{
    struct storage_account account;
    const char *name = report->by_name;
    if (report->by_account != 0 &&
        stored(house, storage_account_by_id(house->storage, report->by_account, &account))) {
        name = account.name;
    }
    const struct person *person = person_find(house, name);
    return person != NULL && person->account == report->by_account && person_is_in_house(person)
               ? person
               : NULL;
}

void case_answer_store_and_send(struct house *house, struct storage_report *report)
{
    const struct person *person = find_present_author(house, report);
    if (person != NULL) {
        report->read_ms = house->now_ms;
        LINKED_CONNS_EACH(conn, &person->conns) {
            conn_send_notice(house, conn, "info", case_answer_sentence(report));
        }
    }
    stored_or_fail(house, storage_report_save(house->storage, report));
}

struct unread {
    struct storage_report rows[ANSWERS_TOLD];
    size_t count;
};

static bool append_unread_report(void *context, const struct storage_report *report)
{
    struct unread *unread = context;
    unread->rows[unread->count++] = *report;
    return unread->count < ANSWERS_TOLD;
}

void case_answers_send_unread(struct house *house, struct conn *conn)
{
    struct unread unread = {.count = 0};
    if (conn->person->account == 0 || house->is_read_only) {
        return; /* an answer that cannot be marked as read now is sent again later */
    }
    stored_or_fail(house,
                   storage_reports_each(house->storage, STORAGE_REPORTS_UNREAD,
                                        conn->person->account, append_unread_report, &unread));
    for (size_t i = 0; i < unread.count; i++) {
        struct storage_report *report = &unread.rows[i];
        conn_send_notice(house, conn, "info", case_answer_sentence(report));
        report->read_ms = house->now_ms;
        stored_or_fail(house, storage_report_save(house->storage, report));
    }
}

void case_answers_read_ahead(struct house *house, const struct storage_connection *row)
{
    if (row->account != 0) {
        stored_ahead(house, storage_reports_each(house->storage, STORAGE_REPORTS_UNREAD,
                                                 row->account, append_unread_report, NULL));
    }
}

bool appeal_is_allowed(struct house *house, const struct appeal *appeal)
{
    struct storage_report report;
    int64_t sanction = appeal->against == NULL ? 0 : appeal->against->id;
    return !stored(house, storage_appeal_find_newest(house->storage, sanction, appeal->account,
                                                     &report)) ||
           (report.state >= STORAGE_REPORT_RESOLVED &&
            report.at_ms + SANCTION_APPEAL_MS <= house->now_ms);
}

int64_t appeal_submit(struct house *house, const struct appeal *appeal)
{
    struct storage_report report = {
        .by_account = appeal->account,
        .about_account = appeal->account,
        .category = STORAGE_REPORT_APPEAL,
        .at_ms = house->now_ms,
        .sanction = appeal->against == NULL ? 0 : appeal->against->id,
    };
    (void)snprintf(report.by_name, sizeof(report.by_name), "%s", appeal->name);
    (void)snprintf(report.about_name, sizeof(report.about_name), "%s", appeal->name);
    (void)snprintf(report.text, sizeof(report.text), "%s", appeal->text);
    stored_or_fail(house, storage_report_add(house->storage, &report, &report.id));
    struct sanction *against = sanction_find(house, report.sanction);
    if (against != NULL) {
        against->row.appeal_ms = house->now_ms;
        (void)snprintf(against->row.appeal, sizeof(against->row.appeal), "%s", appeal->text);
        sanction_save(house, against);
    }
    staff_notify_of_case(house,
                         say(_("%s (%p) appeals: %s · /reports %lld, /take %lld"), report.by_name,
                             say_sentence_argument(appeal_describe_decision(house, &report)),
                             report.text, (long long)report.id, (long long)report.id));
    return report.id;
}

json_t *appeal_describe_decision(struct house *house, const struct storage_report *appeal)
{
    struct storage_sanction sanction;
    if (appeal->sanction == 0 ||
        !stored(house, storage_sanction_read(house->storage, appeal->sanction, &sanction))) {
        return say(_("held"));
    }
    return sanction_to_sentence(&sanction);
}

json_t *appeal_status_sentence(struct house *house, int64_t sanction)
{
    struct storage_report report;
    if (!stored(house, storage_appeal_find_newest(house->storage, sanction, 0, &report))) {
        return NULL;
    }
    if (report.state < STORAGE_REPORT_RESOLVED) {
        return say(_("Your appeal %lld waits for its answer."), (long long)report.id);
    }
    return say("%p.", say_sentence_argument(case_answer_sentence(&report)));
}

void appeal_close_for_ended_sanction(struct house *house, const struct storage_sanction *sanction,
                                     const char *by, const char *why)
{
    struct storage_report report;
    if (!stored(house, storage_appeal_find_newest(house->storage, sanction->id, 0, &report)) ||
        report.state >= STORAGE_REPORT_RESOLVED) {
        return;
    }
    report.state = STORAGE_REPORT_RESOLVED;
    report.closed_ms = house->now_ms;
    (void)snprintf(report.staff_name, sizeof(report.staff_name), "%s", by);
    (void)snprintf(report.answer, sizeof(report.answer), "%s", why);
    case_answer_store_and_send(house, &report);
}
