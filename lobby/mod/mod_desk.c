#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/mod/mod.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/sanctions/sanctions_state.h"
#include "storage/mod/mod.h"

#include <string.h>

/* The moderation desk: one page that shows staff the open cases, the people and the latest
 * actions. */

#define REPORTS_MAX 30
#define DEEDS_MAX 20
/* how many audit rows the desk reads; most may be lookups, which the desk does not show */
#define DEEDS_LOOKED_AT 200
#define PEOPLE_MAX 200

static bool add_report_to_desk(void *context, const struct storage_report *report)
{
    struct order *order = context;
    json_t *rows = json_object_get(order->data, "reports");
    case_add_to_answer(order, report, true);
    (void)json_array_append_new(rows, case_to_json(report, true));
    return json_array_size(rows) < REPORTS_MAX;
}

/* Returns the words that staff see beside a person's name, such as ["guest", "held"]. The list is
 * empty for most people. */
static json_t *list_person_flags(const struct house *house, const struct person *person)
{
    const struct sanctioned *sanctioned = &sanctions_person_state(person)->by_staff;
    bool is_muted = false;
    for (int scope = 0; scope < MUTE_SCOPES; scope++) {
        is_muted = is_muted || sanctioned->mute_ms[scope] > house->now_ms;
    }
    const struct flag {
        bool is_set;
        const char *words;
    } flags[] = {
        {person->role != STORAGE_ROLE_PLAYER, role_display_name(person->role)},
        {person->kind == PERSON_GUEST, _("guest")},
        {person->is_held || sanctioned->is_held, _("held")},
        {sanctioned->is_warned, _("warned")},
        {is_muted || sanctions_person_state(person)->paused_ms > house->now_ms, _("muted")},
        {sanctioned->suspend_ms > house->now_ms, _("suspended")},
        {sanctioned->rankban_ms > house->now_ms, _("unrated")},
    };
    json_t *words = json_array();
    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (flags[i].is_set) {
            (void)json_array_append_new(words, json_string(flags[i].words));
        }
    }
    return words;
}

static void add_people_to_desk(struct order *order)
{
    const struct person *person = NULL;
    json_t *rows = json_object_get(order->data, "people");
    INDEX_EACH(&persons_of(order->house)->by_name, person)
    {
        if (json_array_size(rows) == PEOPLE_MAX) {
            return;
        }
        if (!person_is_in_house(person)) {
            continue;
        }
        char flags[128];
        json_t *words = list_person_flags(order->house, person);
        json_t *shown = say("%p", say_words_argument(json_incref(words)));
        say_write_english(shown, flags, sizeof(flags));
        bool has_flags = json_array_size(words) > 0;
        (void)json_array_append_new(rows, json_pack("{s:s,s:s,s:O*}", "name", person->name, "flags",
                                                    flags, "say", has_flags ? shown : NULL));
        if (has_flags) {
            order_add_line(order, _("here: %s (%p)"), person->name,
                           say_sentence_argument(json_incref(shown)));
        }
        json_decref(shown);
        json_decref(words);
    }
}

static bool add_action_to_desk(void *context, const struct storage_audit *row)
{
    struct order *order = context;
    json_t *rows = json_object_get(order->data, "deeds");
    bool is_look = row->state_after[0] == '\0' && row->state_before[0] == '\0' &&
                   row->reason[0] == '\0' && row->report == 0 && strcmp(row->result, "ok") == 0;
    if (is_look) {
        return true; /* commands that only read are left out: they would fill the screen */
    }
    bool is_done = strcmp(row->result, "ok") == 0;
    bool is_refused = strcmp(row->result, "denied") == 0;
    order_add_line(order,
                   is_done      ? "%p %p %s %s%s%s"
                   : is_refused ? _("%p %p %s %s%s%s (refused)")
                                : _("%p %p %s %s%s%s (failed)"),
                   say_time_argument(row->at_ms), say_word_argument(row->actor_name), row->verb,
                   row->target_name, row->reason[0] == '\0' ? "" : ": ", row->reason);
    (void)json_array_append_new(
        rows, json_pack("{s:I,s:I,s:s,s:s,s:s,s:s,s:s}", "id", (json_int_t)row->id, "at",
                        (json_int_t)row->at_ms, "actor", row->actor_name, "verb", row->verb,
                        "target", row->target_name, "reason", row->reason, "result", row->result));
    return json_array_size(rows) < DEEDS_MAX;
}

void mod_run_desk(struct order *order)
{
    const struct storage_audit_query query = {"", "", "", 0, DEEDS_LOOKED_AT};
    order->data = json_pack("{s:[],s:[],s:[]}", "reports", "people", "deeds");
    stored_or_fail(order->house,
                   storage_reports_list_open(order->house->storage, add_report_to_desk, order));
    if (json_array_size(order->lines) == 0) {
        order_add_line(order, _("No report and no appeal waits."));
    }
    add_people_to_desk(order);
    stored_or_fail(order->house,
                   storage_audit_each(order->house->storage, &query, add_action_to_desk, order));
}
