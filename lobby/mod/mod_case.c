#include "lobby/mod/mod.h"

#include "lobby/chat/chat.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Commands by which staff handle reports and appeals, which are both called cases here. */

#define CASE_LINES_MAX 100 /* maximum number of chat lines in an answer */
#define CASES_MAX 100      /* maximum number of cases in an answer */

static int64_t order_option_number(struct order *order, const char *key, int64_t fallback)
{
    const char *text = order_option_value(order, key);
    char *end = NULL;
    if (text == NULL) {
        return fallback;
    }
    long long number = strtoll(text, &end, 10);
    if (*end != '\0' || number < 0) {
        order_refuse(order, "bad", _("%s= needs a number: you typed \"%s\"."), key, text);
        return fallback;
    }
    return number;
}

static int64_t order_option_since(struct order *order)
{
    int64_t span_ms = 0;
    const char *since = order_option_value(order, "since");
    if (since != NULL && (!order_parse_duration(since, &span_ms) || span_ms < 0)) {
        order_refuse(order, "bad", _("since= needs a time like 12h or 7d."));
    }
    return since == NULL ? 0 : order->house->now_ms - span_ms;
}

static const char *const state_names[] = {STORED_WORDS(STORED_REPORT_STATES)};

/* The states of a case in words for people to read. */
static const char *const state_words[] = {N_("open"), N_("taken"), N_("resolved"), N_("dismissed")};

static bool case_is_appeal(const struct storage_report *report)
{
    return strcmp(report->category, STORAGE_REPORT_APPEAL) == 0;
}

json_t *case_to_json(const struct storage_report *report, bool is_for_staff)
{
    json_t *row =
        json_pack("{s:I,s:s,s:s,s:s,s:s,s:I,s:s,s:I,s:I,s:I}", "id", (json_int_t)report->id,
                  "state", state_names[report->state], "about", report->about_name, "category",
                  report->category, "text", report->text, "at", (json_int_t)report->at_ms, "answer",
                  report->answer, "table", (json_int_t)report->table, "game",
                  (json_int_t)report->game, "sanction", (json_int_t)report->sanction);
    if (is_for_staff) {
        (void)json_object_set_new(row, "by", json_string(report->by_name));
        (void)json_object_set_new(row, "staff", json_string(report->staff_name));
    }
    return row;
}

/* Returns the state of the case in words. For staff, the name of the person who handles the case
 * follows: "taken max". */
static json_t *case_state_sentence(const struct storage_report *report, bool is_for_staff)
{
    void *state = say_word_argument(state_words[report->state]);
    return is_for_staff && report->staff_name[0] != '\0'
               ? say("%p %p", state, say_word_argument(report->staff_name))
               : say("%p", state);
}

void case_add_to_answer(struct order *order, const struct storage_report *report, bool is_for_staff)
{
    const long long id = (long long)report->id;
    void *state = say_sentence_argument(case_state_sentence(report, is_for_staff));
    void *at = say_time_argument(report->at_ms);
    json_t *line = NULL;
    if (case_is_appeal(report)) {
        line = say(_("%lld · %p · %p · %s (%p) appeals: %s"), id, state, at, report->by_name,
                   say_sentence_argument(appeal_describe_decision(order->house, report)),
                   report->text);
    } else if (is_for_staff) {
        line = say(_("%lld · %p · %p · %s about %s (%s): %s"), id, state, at, report->by_name,
                   report->about_name, report->category, report->text);
    } else {
        line = say("%lld · %p · %p · %s (%s): %s", id, state, at, report->about_name,
                   report->category, report->text);
    }
    order_add_sentence(order, report->answer[0] == '\0'
                                  ? line
                                  : say("%p → %p", say_sentence_argument(line),
                                        say_word_argument(report->answer)));
}

static bool case_add_chat_line_to_answer(void *context, const struct storage_chat *line)
{
    struct order *order = context;
    bool is_said = line->from[0] != '\0'; /* false when the house itself said the line */
    const char *to = line->to[0] == '\0' ? "" : " → ";
    void *text = line->say[0] == '\0' ? say_word_argument(line->text)
                                      : say_sentence_argument(say_parse_stored_sentence(line->say));
    json_t *shown =
        say(is_said ? "%lld · %p <%s%s%s> %p" : "%lld · %p · %s%s%s%p", (long long)line->number,
            say_time_argument(line->at_ms), line->from, to, line->to, text);
    order_add_sentence(order, line->is_hidden ? say(_("%p (hidden)"), say_sentence_argument(shown))
                                              : shown);
    return json_array_size(order->lines) < CASE_LINES_MAX;
}

static bool case_add_note_to_answer(void *context, const struct storage_note *note)
{
    struct order *order = context;
    order_add_line(order, "%p %p: %s", say_time_argument(note->at_ms),
                   say_word_argument(note->by_name), note->text);
    return json_array_size(order->lines) < CASE_LINES_MAX;
}

static bool add_case_to_answer(struct order *order, const struct storage_report *report,
                               bool is_for_staff)
{
    case_add_to_answer(order, report, is_for_staff);
    (void)json_array_append_new(order->data, case_to_json(report, is_for_staff));
    return json_array_size(order->data) < CASES_MAX;
}

static bool add_case_for_staff(void *context, const struct storage_report *report)
{
    return add_case_to_answer(context, report, true);
}

static bool add_case_of_requester(void *context, const struct storage_report *report)
{
    return add_case_to_answer(context, report, false);
}

/* True when notes about the target can be found later. Notes about a guest are found by the guest's
 * network: when that network is unknown, the order is refused. */
static bool guest_network_is_known(struct order *order)
{
    if (order->target.kind == TARGET_GUEST && order->target.guest.net[0] == '\0') {
        order_refuse(order, "unknown", _("%s left too long ago: their address is forgotten."),
                     order->target.name);
    }
    return order->code == NULL;
}

static struct storage_note make_note_about_target(const struct order *order)
{
    struct storage_note note = {.account = order->target.id, .at_ms = order->house->now_ms};
    (void)snprintf(note.net, sizeof(note.net), "%s", order->target.guest.net);
    return note;
}

void mod_run_note(struct order *order)
{
    struct storage_note note = make_note_about_target(order);
    if (!guest_network_is_known(order)) {
        return;
    }
    (void)snprintf(note.by_name, sizeof(note.by_name), "%s", order->by_name);
    (void)snprintf(note.text, sizeof(note.text), "%s", order->reason);
    stored_or_fail(order->house, storage_note_add(order->house->storage, &note));
    order_add_line(order, _("Noted about %s."), order->target.name);
}

void mod_run_notes(struct order *order)
{
    const struct storage_note about = make_note_about_target(order);
    if (!guest_network_is_known(order)) {
        return;
    }
    stored_or_fail(order->house, storage_notes_each(order->house->storage, &about,
                                                    case_add_note_to_answer, order));
    if (json_array_size(order->lines) == 0) {
        order_add_line(order, _("Nobody noted anything about %s."), order->target.name);
    }
}

/* Shows one report, the chat before it and what staff noted about it. */
static void show_case(struct order *order)
{
    struct house *house = order->house;
    struct storage_report report;
    if (!stored(house,
                storage_report_read(house->storage, strtoll(order->word, NULL, 10), &report))) {
        order_refuse(order, "unknown", _("There is no report %s."), order->word);
        return;
    }
    const int64_t between[2] = {report.line_first, report.line_last};
    case_add_to_answer(order, &report, true);
    order->report = report.id;
    order->data = case_to_json(&report, true);
    if (!case_is_appeal(&report)) {
        order_add_line(order, _("at table %lld, game %lld"), (long long)report.table,
                       (long long)report.game);
        stored_or_fail(house, storage_chat_read_range(
                                  house->storage,
                                  report.table == 0 ? STORAGE_CHAT_LOBBY : STORAGE_CHAT_TABLE,
                                  report.table, between, case_add_chat_line_to_answer, order));
    }
    const struct storage_note about = {.report = report.id};
    stored_or_fail(house,
                   storage_notes_each(house->storage, &about, case_add_note_to_answer, order));
}

static void show_cases_of_requester(struct order *order)
{
    order->flags |= MOD_OWN;
    order->data = json_array();
    if (order->by_account != 0) {
        stored_or_fail(order->house,
                       storage_reports_each(order->house->storage, STORAGE_REPORTS_OF_REPORTER,
                                            order->by_account, add_case_of_requester, order));
    }
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("You have reported nobody."));
    }
}

static void show_cases_for_staff(struct order *order, enum storage_reports which)
{
    struct house *house = order->house;
    order->data = json_array();
    stored_or_fail(house,
                   storage_reports_each(house->storage, which, 0, add_case_for_staff, order));
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("No report and no appeal waits."));
    }
}

void mod_run_reports(struct order *order)
{
    static const char *const words[] = {"mine", "open", "all", NULL};
    const char *word = order->word;
    bool is_number = word[0] >= '0' && word[0] <= '9';
    int which = text_find_word(words, word[0] != '\0'          ? word
                                      : order->rank < RANK_MOD ? "mine"
                                                               : "open");
    order->flags |= MOD_READS;
    if (which == 0) {
        show_cases_of_requester(order);
    } else if (!mod_require_rank(order, RANK_MOD)) {
        return;
    } else if (is_number) {
        show_case(order);
    } else if (which > 0) {
        show_cases_for_staff(order, which == 1 ? STORAGE_REPORTS_OPEN : STORAGE_REPORTS_ALL);
    } else {
        order_refuse(order, "bad", _("Type open, mine or all, or the number of a report."));
    }
}

/* Whether the report is about the requester. The requester may have been renamed since. */
static bool case_is_about_requester(const struct storage_report *report, const struct order *order)
{
    return report->about_account != 0 ? report->about_account == order->by_account
                                      : strcmp(report->about_name, order->by_name) == 0;
}

/* Reads the report that the order names. Refuses the order and returns false when the requester may
 * not take, comment on or close the report. */
static bool case_read_if_changeable(struct order *order, struct storage_report *report)
{
    struct house *house = order->house;
    if (!stored(house, storage_report_read(house->storage, order->number, report))) {
        return order_refuse(order, "unknown", _("There is no report %lld."),
                            (long long)order->number);
    }
    order->report = report->id;
    order->before = case_to_json(report, true);
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", report->about_name);
    if (case_is_about_requester(report, order)) {
        order_refuse(order, "self",
                     case_is_appeal(report) ? _("That appeal is yours: leave it to others.")
                                            : _("That report is about you: leave it to others."));
    } else if (report->state >= STORAGE_REPORT_RESOLVED) {
        order_refuse(order, "bad", _("That report is closed."));
    }
    return order->code == NULL;
}

void mod_run_take(struct order *order)
{
    struct storage_report report;
    if (case_read_if_changeable(order, &report)) {
        bool is_taken_over =
            report.staff_name[0] != '\0' && strcmp(report.staff_name, order->by_name) != 0;
        char before[STORAGE_NAME_SIZE];
        (void)snprintf(before, sizeof(before), "%s", report.staff_name);
        report.state = STORAGE_REPORT_TAKEN;
        (void)snprintf(report.staff_name, sizeof(report.staff_name), "%s", order->by_name);
        stored_or_fail(order->house, storage_report_save(order->house->storage, &report));
        order->after = case_to_json(&report, true);
        if (is_taken_over) {
            order_add_line(order, _("You now handle report %lld; %s did so before."),
                           (long long)report.id, before);
        } else {
            order_add_line(order, _("You now handle report %lld."), (long long)report.id);
        }
    }
}

void mod_run_comment(struct order *order)
{
    struct storage_report report;
    struct storage_note note = {.at_ms = order->house->now_ms};
    if (!case_read_if_changeable(order, &report)) {
        return;
    }
    note.report = report.id;
    (void)snprintf(note.by_name, sizeof(note.by_name), "%s", order->by_name);
    (void)snprintf(note.text, sizeof(note.text), "%s", order->reason);
    stored_or_fail(order->house, storage_note_add(order->house->storage, &note));
    order_add_line(order, _("Noted on report %lld."), (long long)report.id);
}

static bool release_held_account(struct order *order, int64_t id)
{
    struct house *house = order->house;
    struct storage_account account;
    return !stored(house, storage_account_by_id(house->storage, id, &account)) ||
           !account.is_held || hold_release_account(order, &account);
}

/* Lifts the sanction or hold appealed against, if it is still in force; false when the order is
 * refused. */
static bool appeal_grant(struct order *order, const struct storage_report *appeal)
{
    struct storage_sanction sanction = {.kind = STORAGE_SANCTION_HOLD};
    bool is_known = appeal->sanction != 0 &&
                    stored(order->house, storage_sanction_read(order->house->storage,
                                                               appeal->sanction, &sanction));
    if (is_known && !sanction_lift_appealed(order, &sanction, appeal)) {
        return false;
    }
    return sanction.kind != STORAGE_SANCTION_HOLD ||
           (release_held_account(order, sanction.account) &&
            release_held_account(order, appeal->about_account));
}

void mod_run_close_case(struct order *order)
{
    const enum storage_report_state state = order->command->kind;
    struct storage_report report;
    if (!case_read_if_changeable(order, &report)) {
        return;
    }
    if (case_is_appeal(&report) && state == STORAGE_REPORT_RESOLVED &&
        !appeal_grant(order, &report)) {
        return;
    }
    report.state = state;
    report.closed_ms = order->house->now_ms;
    (void)snprintf(report.answer, sizeof(report.answer), "%s", order->reason);
    (void)snprintf(report.staff_name, sizeof(report.staff_name), "%s", order->by_name);
    case_answer_store_and_send(order->house, &report);
    order->after = case_to_json(&report, true);
    if (!case_is_appeal(&report)) {
        order_add_line(order, _("Report %lld is closed."), (long long)report.id);
    } else if (state == STORAGE_REPORT_RESOLVED) {
        order_add_line(order,
                       json_array_size(order->lines) > 0
                           ? _("Appeal %lld is granted: the sanction is lifted.")
                           : _("Appeal %lld is granted; the sanction had ended before."),
                       (long long)report.id);
        sanction_add_lines_in_force(order, report.about_account, report.about_name);
    } else {
        order_add_line(order, _("Appeal %lld is refused: the sanction stays in force."),
                       (long long)report.id);
    }
}

/* How players reach staff: reports and appeals. */

#define REPORTS_A_DAY 10
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
    stored_or_fail(order->house,
                   storage_chat_read_direct_messages(order->house->storage, order->by_name,
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
    int64_t account = order->by_account;
    if (account == 0) {
        return order_refuse(order, "guest",
                            _("Make an account to report somebody: it takes a minute."));
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
    } else if (strcmp(order->target.name, order->by_name) == 0) {
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
    report.by_account = order->by_account;
    report.about_account = order->target.id;
    (void)snprintf(report.by_name, sizeof(report.by_name), "%s", order->by_name);
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

#define AUDIT_SHOWN 50
#define AUDIT_SHOWN_MAX 200
/* audit rows verified in one round of the event loop, which takes a few hundredths of a second */
#define VERIFY_ROWS 5000

/* The audit rows of one answer, which must fit into one message. */
struct shown {
    struct order *order;
    size_t bytes;
};

#define SHOWN_BYTES 24000

#define COLUMN(...) STORAGE_COLUMN(COLUMN_OF, __VA_ARGS__)
#define COLUMN_OF(how, type, after, last, member, column)                                          \
    (void)json_object_set_new(object, #column, AUDIT_##how(row->member));
#define AUDIT_INTEGER json_integer
#define AUDIT_BORROWED json_string

static json_t *audit_row_to_json(const struct storage_audit *row)
{
    json_t *object = json_pack("{s:I}", "id", (json_int_t)row->id);

    STORAGE_AUDIT_COLUMNS(COLUMN, COLUMN)
    return object;
}

static bool add_audit_row_to_answer(void *context, const struct storage_audit *row)
{
    struct shown *shown = context;
    json_t *object = audit_row_to_json(row);
    char *text = json_dumps(object, JSON_COMPACT);
    shown->bytes += text == NULL ? 0 : strlen(text);
    free(text);
    order_add_line(shown->order, "%lld · %p · %s (%s, %s) · %s %s · %s%s%s", (long long)row->id,
                   say_time_argument(row->at_ms), row->actor_name, row->actor_role, row->via,
                   row->verb, row->arguments, row->result, row->error[0] == '\0' ? "" : " ",
                   row->error);
    (void)json_array_append_new(shown->order->data, object);
    return shown->bytes < SHOWN_BYTES;
}

static const char *text_or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static void list_audit_rows(struct order *order)
{
    int64_t most = order_option_number(order, "max", AUDIT_SHOWN);
    int64_t since_ms = order_option_since(order);
    if (order->code != NULL) {
        return;
    }
    struct storage_audit_query query = {
        .actor = text_or_empty(order_option_value(order, "actor")),
        .target = text_or_empty(order_option_value(order, "target")),
        .verb = text_or_empty(order_option_value(order, "verb")),
        .since_ms = since_ms,
        .most = most < AUDIT_SHOWN_MAX ? (size_t)most : AUDIT_SHOWN_MAX,
    };
    struct shown shown = {.order = order};
    order->data = json_array();
    stored_or_fail(order->house, storage_audit_each(order->house->storage, &query,
                                                    add_audit_row_to_answer, &shown));
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("The log has no such row."));
    }
}

static void verify_audit_log(struct order *order)
{
    struct storage_audit_check check;
    char head[2 * STORAGE_AUDIT_HASH_BYTES + 1];
    int64_t from = order_option_number(order, "from", 1);
    if (order->code != NULL) {
        return;
    }
    from = from < 1 ? 1 : from;
    stored_or_fail(order->house,
                   storage_audit_verify(order->house->storage, from, VERIFY_ROWS, &check));
    (void)sodium_bin2hex(head, sizeof(head), check.head, sizeof(check.head));
    order->data =
        json_pack("{s:b,s:I,s:I,s:I,s:s}", "is_whole", check.bad == 0, "bad", (json_int_t)check.bad,
                  "rows", (json_int_t)check.rows, "next", (json_int_t)check.next, "head", head);
    const long long rows = from - 1 + check.rows;
    if (check.bad != 0) {
        const long long row = (long long)check.bad;
        order_add_line(
            order,
            check.state == STORAGE_AUDIT_CHANGED  ? _("Row %lld was changed after it was written.")
            : check.state == STORAGE_AUDIT_BROKEN ? _("Row %lld does not match the row before it.")
                                                  : _("Row %lld is missing."),
            row);
    } else if (check.next != 0) {
        order_add_line(order,
                       _("Rows %lld to %lld are as they were written; go on with verify from=%lld"),
                       (long long)from, rows, (long long)check.next);
    } else {
        order_add_line(
            order,
            _("%lld rows are as they were written, and none is missing; hash of the last row: %s"),
            rows, head);
    }
}

void mod_run_audit(struct order *order)
{
    if (strcmp(order->word, "verify") == 0 || strcmp(order->word, "--verify") == 0) {
        verify_audit_log(order);
    } else if (order->word[0] == '\0') {
        list_audit_rows(order);
    } else {
        order_refuse(order, "bad", _("Usage: /audit %p"), say_word_argument(order->words->args));
    }
}

/* Commands by which staff read, hide and silence what is said. */

#define HIDE_MAX 500 /* maximum number of lines that one command hides or shows again */
#define HIDE_ASKS 20 /* so many lines require a confirmation */
/* the longest pause of slow mode, in seconds; /freeze stops a chat altogether */
#define SLOW_MAX_S 3600
#define LOG_SHOWN 50

/* Parses the order's word as the name of a chat; refuses the order when the name is unknown.
 * Returns a chat line without text, said by the house in that chat. */
static struct storage_chat parse_chat_place(struct order *order)
{
    struct storage_chat line = {.kind = STORAGE_CHAT_SYSTEM, .at_ms = order->house->now_ms};
    const char *word = order->word;
    bool is_table = word[0] == '#' && word[1] != '\0' && strlen(word) < PLACE_SIZE &&
                    strspn(word + 1, "0123456789") == strlen(word + 1);
    if (is_table) {
        line.channel = STORAGE_CHAT_TABLE;
        line.table = order->table_id = strtoll(word + 1, NULL, 10);
    } else if (channels_is_valid_name(word)) {
        line.channel = STORAGE_CHAT_CHANNEL;
        (void)snprintf(line.to, sizeof(line.to), "%s", word);
    } else if (strcmp(word, "lobby") != 0) {
        order_refuse(order, "unknown",
                     _("There is no chat %s: lobby, a channel like #tea, or a table like #7."),
                     word);
    }
    order->target.kind = TARGET_CHAT;
    order->target.id = line.table;
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", word);
    (void)snprintf(order->scope, sizeof(order->scope), "%.30s", word);
    return line;
}

/* Parses the name of a chat for which the rule can be set: either the chat exists, or the rule is
 * already set for it. */
static struct storage_chat parse_existing_chat(struct order *order, enum storage_rule rule)
{
    struct storage_chat line = parse_chat_place(order);
    struct house *house = order->house;
    int64_t value = 0;
    stored_or_fail(house, storage_rule_read(house->storage, rule, order->target.name, &value));
    if (order->code != NULL || value != 0) {
        return line;
    }
    if (line.channel == STORAGE_CHAT_TABLE && table_find(house, line.table) == NULL) {
        order_refuse(order, "unknown", _("Table %s is closed, or never was."), order->word);
    } else if (line.channel == STORAGE_CHAT_CHANNEL && !channels_exists(house, line.to)) {
        order_refuse(order, "unknown",
                     _("Nobody is in a channel %s: /channels lists those there are."), order->word);
    }
    return line;
}

/* Says the sentence in the chat, and adds it to the answer. At a closed table nobody is told. */
static void announce_in_chat(struct order *order, struct storage_chat *line, json_t *sentence)
{
    const struct table *table = table_find(order->house, line->table);
    bool is_there = line->channel != STORAGE_CHAT_TABLE || table != NULL;
    chat_set_sentence(line, json_incref(sentence));
    if (is_there && chat_store_line(order->house, line)) {
        table_send_line(order->house, line, table);
    }
    order_add_sentence(order, sentence);
}

/* Sets the rule for the chat, and records who set it; the value 0 removes both. Says the sentence
 * in the chat. Does nothing when the order is refused, or when the requester may not change the
 * rule. */
static void set_chat_rule(struct order *order, struct storage_chat *line, enum storage_rule rule,
                          int64_t value, json_t *sentence)
{
    const enum storage_decision_kind kind =
        rule == STORAGE_RULE_SLOW ? STORAGE_DECISION_SLOW : STORAGE_DECISION_FROZEN;
    char channel[PLACE_SIZE];
    chat_write_name_of_line(line, channel);
    if (order->code != NULL || !decision_may_be_changed(order, kind, channel)) {
        json_decref(sentence);
        return;
    }
    stored_or_fail(order->house, storage_rule_set(order->house->storage, rule, channel, value));
    if (value == 0) {
        decision_remove(order->house, kind, channel);
    } else {
        decision_store(order, kind, channel);
    }
    announce_in_chat(order, line, sentence);
}

void mod_run_slow(struct order *order)
{
    struct storage_chat line = parse_existing_chat(order, STORAGE_RULE_SLOW);
    if (order->number > SLOW_MAX_S) {
        order_refuse(order, "bad", _("At most %d seconds; /freeze silences a chat."), SLOW_MAX_S);
    }
    set_chat_rule(order, &line, STORAGE_RULE_SLOW, order->number,
                  order->number == 0
                      ? say(_("This chat is no longer slowed down."))
                      : say(_("This chat is slowed down: everybody may say one line every %lld s."),
                            (long long)order->number));
}

void mod_run_freeze(struct order *order)
{
    bool is_on = strcmp(order->reason, "on") == 0;
    struct storage_chat line = parse_existing_chat(order, STORAGE_RULE_FROZEN);
    if (!is_on && strcmp(order->reason, "off") != 0) {
        order_refuse(order, "bad", _("Say on or off."));
    }
    set_chat_rule(order, &line, STORAGE_RULE_FROZEN, is_on,
                  say(is_on ? _("This chat is silenced for a while: only staff talk here.")
                            : _("This chat is open again.")));
}

/* What an order hides or shows again. */
struct hiding {
    struct order *order;
    bool shows;          /* the order shows lines again */
    bool by_source;      /* only lines of people whom `ban` refuses are meant */
    struct sanction ban; /* with ip=NET only its address is set */
    bool is_older; /* the speaker's account is older than the ban, which then follows keys only */
    bool is_met;   /* result of the check of a speaker's addresses and keys */
    json_t *speakers; /* for each speaker who was checked, whether they are meant */
    size_t most, count;
    size_t kept; /* lines that the requester may not hide or show; somebody who said one: */
    char superior[STORAGE_NAME_SIZE];
    struct {
        int64_t number;
        char from[STORAGE_NAME_SIZE];
    } lines[HIDE_MAX]; /* newest first */
};

static void check_address_and_key(struct hiding *hiding, const char *address, const char *key)
{
    const struct storage_sanction *ban = &hiding->ban.row;
    struct net net;
    bool is_banned_key = key[0] != '\0' && strcmp(ban->fingerprint, key) == 0;
    hiding->is_met = hiding->is_met || is_banned_key ||
                     (net_parse(ban->address, &net) && net_contains(&net, address)) ||
                     person_sources_have(hiding->ban.sources, hiding->is_older ? "" : address, key);
}

static bool check_sign_in(void *context, const struct storage_sign_in *row)
{
    struct hiding *hiding = context;
    check_address_and_key(hiding, row->address, row->fingerprint);
    return !hiding->is_met;
}

/* Whether the order means the lines of this speaker. */
static bool speaker_is_meant(struct hiding *hiding, const struct storage_chat *line)
{
    struct house *house = hiding->order->house;
    struct storage_guest guest;
    struct storage_account account;
    const json_t *known = json_object_get(hiding->speakers, line->from);
    if (!hiding->by_source || known != NULL) {
        return known == NULL || json_is_true(known);
    }
    hiding->is_met = sanction_names(&hiding->ban.row, line->account, line->from);
    hiding->is_older =
        line->account != 0 &&
        stored(house, storage_account_by_id(house->storage, line->account, &account)) &&
        account.created_ms <= hiding->ban.row.since_ms;
    if (line->account != 0) {
        stored_or_fail(house, storage_sign_ins_by_account(house->storage, line->account,
                                                          check_sign_in, hiding));
    } else if (guests_find(house, line->from, &guest)) {
        check_address_and_key(hiding, guest.address, guest.fingerprint);
    }
    (void)json_object_set_new(hiding->speakers, line->from, json_boolean(hiding->is_met));
    return hiding->is_met;
}

/* Whether the requester may hide the line or show it again: not if it was said or hidden by
 * somebody of a higher role, or said by another of the same. */
static bool may_hide_or_show(struct order *order, const struct storage_chat *line, bool shows)
{
    struct storage_account account;
    if (shows) {
        return line->hidden_by <= (uint8_t)order->rank;
    }
    if (line->account == 0 || line->account == order->by_account ||
        !stored(order->house,
                storage_account_by_id(order->house->storage, line->account, &account))) {
        return true;
    }
    enum rank rank = rank_of_role(account.role);
    return rank < RANK_MOD || rank < order->rank;
}

/* False for a line of the house, or one whose words were erased. */
static bool line_has_words(const struct storage_chat *line)
{
    return line->from[0] != '\0' && line->text[0] != '\0';
}

/* Lists the line if the order hides it or shows it again; false when no more are wanted. */
static bool append_meant_line(void *context, const struct storage_chat *line)
{
    struct hiding *hiding = context;
    if (hiding->count == hiding->most) {
        return false;
    }
    if (!line_has_words(line) || line->is_hidden != hiding->shows ||
        !speaker_is_meant(hiding, line)) {
        return true;
    }
    if (!may_hide_or_show(hiding->order, line, hiding->shows)) {
        hiding->kept++;
        (void)snprintf(hiding->superior, STORAGE_NAME_SIZE, "%s", line->from);
        return true;
    }
    hiding->lines[hiding->count].number = line->number;
    (void)snprintf(hiding->lines[hiding->count++].from, STORAGE_NAME_SIZE, "%s", line->from);
    return true;
}

static void refuse_without_lines(struct hiding *hiding)
{
    struct order *order = hiding->order;
    if (hiding->kept == 0) {
        order_refuse(order, "unknown",
                     _("There is no such line: /log shows the numbers of lines."));
    } else if (hiding->shows) {
        order_refuse(order, "role", _("Somebody of a higher role has hidden that: ask them."));
    } else {
        order_refuse(order, "role",
                     _("%s has the same rights as you, or more: ask somebody above."),
                     hiding->superior);
    }
}

/* Parses ip=NET or ban=NUMBER, which mean the lines of everybody from there, or of everybody to
 * whom the ban applies. */
static void parse_source_to_hide(struct hiding *hiding)
{
    struct order *order = hiding->order;
    struct house *house = order->house;
    const char *word = order->word;
    struct storage_sanction *ban = &hiding->ban.row;
    struct net net;
    hiding->by_source = true;
    if (strncmp(word, "ip=", 3) == 0) {
        (void)snprintf(ban->address, sizeof(ban->address), "%s", word + 3);
        if (!net_parse(ban->address, &net)) {
            order_refuse(order, "bad", _("%s is not an address."), word + 3);
        }
        return;
    }
    if (!stored(house, storage_sanction_read(house->storage, strtoll(word + 4, NULL, 10), ban)) ||
        ban->kind != STORAGE_SANCTION_BAN) {
        order_refuse(order, "unknown", _("No ban has that number: see /banlist."));
        return;
    }
    const struct sanction *in_force = sanction_find(house, ban->id);
    hiding->ban.sources = in_force == NULL ? NULL : in_force->sources;
}

#define GUESTS_PREFIX "guest-"

/* Returns true if only guests may have names of this form. */
static bool name_is_for_guests(const char *name)
{
    return strncmp(name, GUESTS_PREFIX, strlen(GUESTS_PREFIX)) == 0;
}

/* Finds the account or the guest of this name, whose lines are to be searched. */
static bool find_speaker(struct house *house, const char *name, struct storage_chat_search *search)
{
    struct storage_account account;
    if (stored(house, storage_account_by_name(house->storage, name, &account))) {
        search->account = account.id;
        return true;
    }
    search->guest = name_is_for_guests(name) ? name : NULL;
    return search->guest != NULL;
}

/* Finds the lines that the order means. */
static void find_lines(struct hiding *hiding)
{
    struct order *order = hiding->order;
    struct house *house = order->house;
    struct storage_chat line;
    const char *word = order->word;
    struct storage_chat_search search = {
        .text = "", .to = "", .most = STORAGE_CHAT_LOOKED, .since_ms = order_option_since(order)};
    if (word[0] >= '0' && word[0] <= '9') {
        if (!stored(house, storage_chat_read(house->storage, strtoll(word, NULL, 10), &line))) {
            return;
        }
        if (line_has_words(&line) && line.is_hidden != hiding->shows) {
            order_refuse(order, "bad",
                         hiding->shows ? _("That line is not hidden.")
                                       : _("That line is hidden already."));
        }
        (void)append_meant_line(hiding, &line);
        return;
    }
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", word);
    if (word[0] == '#' || strcmp(word, "lobby") == 0) {
        line = parse_chat_place(order);
        search.to = line.to;
        stored_or_fail(house, storage_chat_search_channel(house->storage, line.channel, line.table,
                                                          &search, append_meant_line, hiding));
        return;
    }
    if (strncmp(word, "ip=", 3) == 0 || strncmp(word, "ban=", 4) == 0) {
        parse_source_to_hide(hiding);
    } else if (!find_speaker(house, word, &search) && strcmp(word, "all") != 0) {
        order_refuse(order, "unknown", _("Nobody is called %s: check the spelling."), word);
    }
    if (order->code == NULL) {
        stored_or_fail(
            house, storage_chat_search_account(house->storage, &search, append_meant_line, hiding));
    }
}

/* How many lines the order may hide or show again. Without a count or a time, it is one of a
 * person. */
static size_t read_most_lines(struct order *order)
{
    bool is_person = order->word[0] != '#' && strchr(order->word, '=') == NULL &&
                     strcmp(order->word, "lobby") != 0 && strcmp(order->word, "all") != 0;
    bool has_bounds = order->has_number || order_option_value(order, "since") != NULL;
    if (!is_person && !has_bounds) {
        order_refuse(order, "bad", _("Say how many lines, or since when: 20, or since=15m."));
    }
    int64_t most = order->has_number ? order->number : has_bounds ? HIDE_MAX : 1;
    return most < HIDE_MAX ? (size_t)most : HIDE_MAX;
}

/* Tells everybody who said one of the lines. */
static void notify_authors(const struct hiding *hiding)
{
    struct order *order = hiding->order;
    json_t *names = json_object();
    const char *name = NULL;
    json_t *unused = NULL;
    for (size_t i = 0; i < hiding->count; i++) {
        (void)json_object_set_new(names, hiding->lines[i].from, json_true());
    }
    json_object_foreach(names, name, unused)
    {
        const struct person *person = person_find(order->house, name);
        void *by = say_word_argument(order->by_name);
        json_t *told =
            hiding->shows
                ? say(_("%p has shown again what you said: %s"), by, order->reason)
                : say(_("%p has hidden what you said: %s · To appeal, write /report %s other and "
                        "why."),
                      by, order->reason, order->by_name);
        if (person != NULL) {
            person_send_notice(order->house, person, "warn", json_incref(told));
        }
        json_decref(told);
    }
    json_decref(names);
}

/* Sends a line again to those who read its chat. */
static void send_line_again(struct house *house, int64_t number)
{
    struct storage_chat line;
    if (!stored(house, storage_chat_read(house->storage, number, &line))) {
        return;
    }
    const struct table *table = table_find(house, line.table);
    if (line.channel != STORAGE_CHAT_TABLE || table != NULL) {
        table_send_line(house, &line, table);
    }
}

static void hide_or_show_lines(const struct hiding *hiding)
{
    struct order *order = hiding->order;
    struct house *house = order->house;
    json_t *numbers = json_array();
    order->line_last = hiding->lines[0].number;
    order->line_first = hiding->lines[hiding->count - 1].number;
    for (size_t i = 0; i < hiding->count; i++) {
        int64_t number = hiding->lines[i].number;
        stored_or_fail(house,
                       storage_chat_hide(house->storage, number, hiding->shows ? 0 : house->now_ms,
                                         hiding->shows ? 0 : (uint8_t)order->rank));
        (void)json_array_append_new(numbers, json_integer(number));
        if (hiding->shows) {
            send_line_again(house, number);
        }
    }
    order->after = json_pack("{s:O}", hiding->shows ? "shown" : "hidden", numbers);
    if (hiding->shows) {
        json_decref(numbers);
    } else {
        chat_hide_lines(house, numbers);
    }
    notify_authors(hiding);
    order_add_line(order, hiding->shows ? _("Shown again: %zu.") : _("Hidden: %zu."),
                   hiding->count);
    if (hiding->kept > 0) {
        order_add_line(order, _("Left as they are, for somebody of a higher role: %zu."),
                       hiding->kept);
    }
}

void mod_run_hide(struct order *order)
{
    struct hiding *hiding = memory_new(sizeof(*hiding));
    hiding->order = order;
    hiding->most = read_most_lines(order);
    hiding->shows = order->command->kind != 0;
    hiding->speakers = json_object();
    if (order->code == NULL) {
        find_lines(hiding);
    }
    if (order->code == NULL && hiding->count == 0) {
        refuse_without_lines(hiding);
    }
    if (order->code == NULL &&
        (hiding->count < HIDE_ASKS ||
         order_require_confirmation(order, say(hiding->shows
                                                   ? _("That shows %zu lines again. Are you sure?")
                                                   : _("That hides %zu lines. Are you sure?"),
                                               hiding->count)))) {
        hide_or_show_lines(hiding);
    }
    json_decref(hiding->speakers);
    free(hiding);
}

static bool parse_chat_search(struct order *order, struct storage_chat_search *search)
{
    const char *text = order_option_value(order, "text");
    int64_t most = order_option_number(order, "max", LOG_SHOWN);
    *search = (struct storage_chat_search){
        .text = text == NULL ? "" : text,
        .to = "",
        .since_ms = order_option_since(order),
        .most = most < CASE_LINES_MAX ? (size_t)most : CASE_LINES_MAX,
    };
    return order->code == NULL;
}

void mod_run_log(struct order *order)
{
    struct house *house = order->house;
    struct storage_chat_search search;
    bool is_place = order->word[0] == '#' || strcmp(order->word, "lobby") == 0;
    if (!parse_chat_search(order, &search)) {
        return;
    }
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", order->word);
    if (is_place) {
        const struct storage_chat line = parse_chat_place(order);
        if (order->code != NULL) {
            return;
        }
        search.to = line.to;
        stored_or_fail(house,
                       storage_chat_search_channel(house->storage, line.channel, line.table,
                                                   &search, case_add_chat_line_to_answer, order));
    } else if (find_speaker(house, order->word, &search)) {
        stored_or_fail(house, storage_chat_search_account(house->storage, &search,
                                                          case_add_chat_line_to_answer, order));
    } else {
        order_refuse(order, "unknown", _("Nobody is called %s: check the spelling."), order->word);
    }
    if (order->code == NULL && json_array_size(order->lines) == 0) {
        order_add_line(order, _("No chat line matches."));
    }
    if (order->code == NULL && search.text[0] != '\0') {
        order_add_line(order, _("Only the last %d lines there were searched."),
                       STORAGE_CHAT_LOOKED);
    }
}
