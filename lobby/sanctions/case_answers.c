#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"

#include <string.h>

#define ANSWERS_TOLD 20 /* the most answers sent at one sign-in; the others follow at the next */

json_t *case_answer_sentence(const struct storage_report *report)
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
    const struct conn *conn = NULL;
    if (person != NULL) {
        report->read_ms = house->now_ms;
        CONN_LINKS_EACH(conn, &person->conns)
        {
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

/* Tells a person who signs in about those of their cases that were closed while they were away. */
static void send_unread_answers(struct house *house, struct conn *conn)
{
    struct unread unread = {.count = 0};
    if (conn->person->account == 0 || house->is_read_only) {
        return; /* an answer that cannot be marked as read now is sent again later */
    }
    stored_or_fail(house, storage_reports_list_unread_answers(house->storage, conn->person->account,
                                                              append_unread_report, &unread));
    for (size_t i = 0; i < unread.count; i++) {
        struct storage_report *report = &unread.rows[i];
        conn_send_notice(house, conn, "info", case_answer_sentence(report));
        report->read_ms = house->now_ms;
        stored_or_fail(house, storage_report_save(house->storage, report));
    }
}

static void read_answers_ahead(struct house *house, const struct storage_connection *row)
{
    if (row->account != 0) {
        stored_ahead(house, storage_reports_list_unread_answers(house->storage, row->account,
                                                                append_unread_report, NULL));
    }
}

const struct part case_answers_part = {
    .name = "case-answers",
    .read_ahead = read_answers_ahead,
    .greet = send_unread_answers,
};
