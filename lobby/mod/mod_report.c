#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/tables/tables.h"
#include "storage/chat/chat.h"

#include <stdio.h>
#include <string.h>

/* How players reach staff: reports and appeals. */

#define REPORTS_A_DAY 10
#define DAY_MS INT64_C(86400000)
#define EVIDENCE_LINES 50
#define MESSAGES_LOOKED 1000 /* how many of the reporter's messages are searched */

static const char *const categories[] = {"cheat", "abuse", "stall", "spam", "name", "other", NULL};

static bool extend_evidence_range(void *context, const struct storage_chat *line)
{
    struct storage_report *report = context;
    report->line_first = report->line_first == 0 ? line->number : report->line_first;
    report->line_last = line->number;
    return true;
}

/* Adds the chat that the reporter is in, and its recent lines, to the report. */
static void attach_evidence(struct order *order, struct storage_report *report)
{
    const struct table *table = conn_table(order->conn);
    if (table != NULL) {
        report->table = table->row.id;
        report->game = table->has_game ? table->row.game_id : 0;
    }
    stored_or_fail(order->house, storage_chat_read_last(
                                     order->house->storage,
                                     table == NULL ? STORAGE_CHAT_LOBBY : STORAGE_CHAT_TABLE,
                                     report->table, EVIDENCE_LINES, extend_evidence_range, report));
    order->table_id = report->table;
    order->game_id = report->game;
    order->line_first = report->line_first;
    order->line_last = report->line_last;
}

/* The last direct messages between a reporter and the reported player. */
struct messages {
    const struct order *order;
    struct storage_chat
        last[EVIDENCE_LINES]; /* a ring: the one of number n at n % EVIDENCE_LINES */
    size_t count;
};

static bool collect_message(void *context, const struct storage_chat *line)
{
    struct messages *messages = context;
    const char *other = messages->order->target.name;
    if (strcmp(line->from, other) == 0 || strcmp(line->to, other) == 0) {
        messages->last[messages->count++ % EVIDENCE_LINES] = *line;
    }
    return true;
}

/* Reads the messages that the reporter wants staff to see. They are the only direct messages that
 * staff can ever read. Refuses the order when there are none. */
static size_t read_messages_to_show(struct order *order, struct messages *messages)
{
    size_t most = (size_t)order_option_number(order, "pm", 0);
    messages->order = order;
    messages->count = 0;
    if (order_option_value(order, "pm") == NULL || order->code != NULL) {
        return 0;
    }
    stored_or_fail(order->house, storage_chat_read_direct_messages(
                                     order->house->storage, order_requester_name(order),
                                     MESSAGES_LOOKED, collect_message, messages));
    most = most < EVIDENCE_LINES ? most : EVIDENCE_LINES;
    most = most < messages->count ? most : messages->count;
    if (most == 0) {
        order_refuse(order, "bad",
                     _("No direct message between you and %s to show: pm=3 shows the last 3."),
                     order->target.name);
    }
    return most;
}

/* Copies the messages to the report as notes, which are deleted with it. */
static void attach_messages(struct order *order, int64_t report, const struct messages *messages,
                            size_t count)
{
    for (size_t i = messages->count - count; i < messages->count; i++) {
        const struct storage_chat *line = &messages->last[i % EVIDENCE_LINES];
        struct storage_note note = {.report = report, .at_ms = line->at_ms};
        (void)snprintf(note.by_name, sizeof(note.by_name), "%s", line->from);
        (void)snprintf(note.text, sizeof(note.text), "%s", line->text);
        stored_or_fail(order->house, storage_note_add(order->house->storage, &note));
    }
    order_add_sentence(order, say_plural("Staff see %u direct message between you two.",
                                         "Staff see %u direct messages between you two.",
                                         (unsigned)count));
}

static bool report_is_allowed(struct order *order)
{
    uint32_t count = 0;
    int64_t account = order_requester_account(order);
    if (account == 0) {
        order_refuse(order, "guest", _("Make an account to report somebody: it takes a minute."));
        return false;
    }
    stored_or_fail(order->house, storage_reports_count(order->house->storage, account,
                                                       order->house->now_ms - DAY_MS, &count));
    if (count >= REPORTS_A_DAY) {
        order_refuse(order, "too_many",
                     _("That is more than %d reports in a day: wait until tomorrow."),
                     REPORTS_A_DAY);
    } else if (text_find_word(categories, order->word) < 0) {
        order_refuse(order, "bad",
                     _("Say what the report is about: cheat, abuse, stall, spam, name or other."));
    } else if (strcmp(order->target.name, order_requester_name(order)) == 0) {
        order_refuse(order, "self", _("You cannot name yourself here."));
    }
    return order->code == NULL;
}

void mod_run_report(struct order *order)
{
    struct storage_report report = {.at_ms = order->house->now_ms};
    struct messages messages;
    size_t shown = 0;
    if (report_is_allowed(order)) {
        shown = read_messages_to_show(order, &messages);
    }
    if (order->code != NULL) {
        return;
    }
    report.by_account = order_requester_account(order);
    report.about_account = order->target.id;
    (void)snprintf(report.by_name, sizeof(report.by_name), "%s", order_requester_name(order));
    (void)snprintf(report.about_name, sizeof(report.about_name), "%s", order->target.name);
    (void)snprintf(report.category, sizeof(report.category), "%.30s", order->word);
    (void)snprintf(report.text, sizeof(report.text), "%s", order->reason);
    if (shown == 0) {
        attach_evidence(order, &report);
    }
    stored_or_fail(order->house, storage_report_add(order->house->storage, &report, &report.id));
    order->report = report.id;
    order->data = json_pack("{s:I}", "report", (json_int_t)report.id);
    order_add_line(order,
                   _("Thank you: that is report %lld. /reports mine tells what became of it."),
                   (long long)report.id);
    if (shown > 0) {
        attach_messages(order, report.id, &messages, shown);
    }
    staff_notify_of_case(order->house,
                         say(_("%s reports %s (%s): %s · /reports %lld, /take %lld"),
                             report.by_name, report.about_name, report.category, report.text,
                             (long long)report.id, (long long)report.id));
}

/* The search for the newest sanction against which the requester may appeal now. */
struct appealing {
    struct order *order;
    struct storage_sanction newest;
    size_t count;
    bool has_one;
};

static struct appeal build_appeal(struct order *order, const struct storage_sanction *sanction)
{
    const struct person *person = order->conn->person;
    return (struct appeal){
        .against = sanction,
        .account = person->account,
        .name = person->name,
        .text = order->reason,
    };
}

static bool find_appealable_sanction(void *context, const struct storage_sanction *sanction)
{
    struct appealing *appealing = context;
    struct appeal appeal = build_appeal(appealing->order, sanction);
    if (sanction->kind == STORAGE_SANCTION_HOLD && sanction->account != 0 &&
        sanction->account == appeal.account) {
        return true; /* skip the hold on the account: an appeal that names no sanction is taken as
                        one against the hold */
    }
    appealing->count++;
    if (appeal_is_allowed(appealing->order->house, &appeal)) {
        appealing->newest = *sanction;
        appealing->has_one = true;
    }
    return true;
}

void mod_run_appeal(struct order *order)
{
    struct house *house = order->house;
    const struct person *person = order->conn->person;
    struct appealing appealing = {.order = order};
    struct appeal appeal = {.against = NULL};
    if (person != NULL) {
        sanctions_for_each(house, person, find_appealable_sanction, &appealing);
        appeal = build_appeal(order, appealing.has_one ? &appealing.newest : NULL);
    }
    bool is_held = person != NULL && person->is_held;
    bool is_possible = appealing.has_one || (is_held && appeal_is_allowed(house, &appeal));
    if (!is_possible) {
        bool is_free = appealing.count == 0 && !is_held;
        order_refuse(order, is_free ? "unknown" : "too_many",
                     is_free ? _("No sanction is in force against you.")
                             : _("You have appealed already: wait for the answer, or a day."));
        return;
    }
    order->report = appeal_submit(house, &appeal);
    order->reverses = appealing.has_one ? appealing.newest.audit : 0;
    order->data = json_pack("{s:I}", "report", (json_int_t)order->report);
    order_add_line(order,
                   _("Your appeal has number %lld: you are told the answer, and /reports mine "
                     "lists it."),
                   (long long)order->report);
}
