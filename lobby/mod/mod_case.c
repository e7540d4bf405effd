#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/mod/mod.h"
#include "lobby/persons/persons.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Commands by which staff handle reports and appeals, which are both called cases here. */

#define CASES_MAX 100 /* maximum number of cases in an answer */

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

bool case_add_chat_line_to_answer(void *context, const struct storage_chat *line)
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

bool case_add_note_to_answer(void *context, const struct storage_note *note)
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
    stored_or_fail(house, storage_notes_list_of_report(house->storage, report.id,
                                                       case_add_note_to_answer, order));
}

static void show_cases_of_requester(struct order *order)
{
    order->flags |= MOD_OWN;
    order->data = json_array();
    if (order_requester_account(order) != 0) {
        stored_or_fail(order->house, storage_reports_list_by_reporter(
                                         order->house->storage, order_requester_account(order),
                                         add_case_of_requester, order));
    }
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("You have reported nobody."));
    }
}

static void show_cases_for_staff(struct order *order, bool is_open)
{
    struct house *house = order->house;
    order->data = json_array();
    stored_or_fail(house,
                   is_open ? storage_reports_list_open(house->storage, add_case_for_staff, order)
                           : storage_reports_list_all(house->storage, add_case_for_staff, order));
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
        show_cases_for_staff(order, which == 1);
    } else {
        order_refuse(order, "bad", _("Type open, mine or all, or the number of a report."));
    }
}

/* Whether the report is about the requester. The requester may have been renamed since. */
static bool case_is_about_requester(const struct storage_report *report, const struct order *order)
{
    return report->about_account != 0
               ? report->about_account == order_requester_account(order)
               : strcmp(report->about_name, order_requester_name(order)) == 0;
}

/* Reads the report that the order names. Refuses the order and returns false when the requester may
 * not take, comment on or close the report. */
static bool case_read_if_changeable(struct order *order, struct storage_report *report)
{
    struct house *house = order->house;
    if (!stored(house, storage_report_read(house->storage, order->number, report))) {
        order_refuse(order, "unknown", _("There is no report %lld."), (long long)order->number);
        return false;
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
        bool is_taken_over = report.staff_name[0] != '\0' &&
                             strcmp(report.staff_name, order_requester_name(order)) != 0;
        char before[STORAGE_NAME_SIZE];
        (void)snprintf(before, sizeof(before), "%s", report.staff_name);
        report.state = STORAGE_REPORT_TAKEN;
        (void)snprintf(report.staff_name, sizeof(report.staff_name), "%s",
                       order_requester_name(order));
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
    (void)snprintf(note.by_name, sizeof(note.by_name), "%s", order_requester_name(order));
    (void)snprintf(note.text, sizeof(note.text), "%s", order->reason);
    stored_or_fail(order->house, storage_note_add(order->house->storage, &note));
    order_add_line(order, _("Noted on report %lld."), (long long)report.id);
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
    (void)snprintf(report.staff_name, sizeof(report.staff_name), "%s", order_requester_name(order));
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
