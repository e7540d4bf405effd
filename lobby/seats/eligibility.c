#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions_state.h"
#include "lobby/tables/tables.h"

#include <string.h>

/* Answers the request `why`: why a person cannot sit down at a table, and what would make it
 * possible. */

static bool table_is_locked_for(const struct house *house, const struct table *table,
                                const struct person *person)
{
    return table->row.password_hash[0] != '\0' &&
           !invites_person_is_invited(house, person, table) &&
           strcmp(table->row.host_name, person->name) != 0;
}

/* Returns the reason why the person cannot take a seat; NULL when they can. */
static json_t *explain_why_person_cannot_sit(struct house *house, const struct table *table,
                                             struct person *person)
{
    struct clock_rule rule = table_clock_rule(table);
    long long id = (long long)table->row.id;
    json_t *why = NULL;
    if (table_is_playing(table)) {
        return say(_("A game is on there: /watch %lld watches it; seats may be free once it is "
                     "over."),
                   id);
    }
    if (sanctions_person_state(person)->by_staff.suspend_ms > house->now_ms) {
        return say(_("You may not sit down for now: /sanctions says why and until when."));
    }
    if (table_first_free_seat(table) < 0) {
        return say(_("Every seat is taken: /watch %lld watches, /new opens a table of your "
                     "own."),
                   id);
    }
    if (person->kind == PERSON_GUEST && !clock_rule_is_for_one_sitting(&rule)) {
        return say(_("That game is played over days, and a guest cannot come back: make an "
                     "account to sit there."));
    }
    if (table_eligibility_admits(house, table, person, &why) &&
        table_is_locked_for(house, table, person)) {
        return say(_("The table is locked: ask %s for the password, or for an invitation."),
                   table->row.host_name);
    }
    return why;
}

static void message_why(const struct request *request)
{
    const struct table *table = request_find_named_table(request);
    if (table == NULL) {
        answer_no(request, "unknown", _("There is no such table now: the lobby lists all tables."));
        return;
    }
    bool has_seat = table_seat_of(table, request->conn->person) >= 0;
    json_t *why = has_seat
                      ? NULL
                      : explain_why_person_cannot_sit(request->house, table, request->conn->person);
    json_t *fields = json_pack("{s:b}", "can_sit", why == NULL);
    if (why == NULL) {
        why = say(has_seat ? _("You have a seat there: /watch %lld goes to it.")
                           : _("You can sit there: /sit %lld sits down."),
                  (long long)table->row.id);
    }
    say_set_field(fields, "why", why);
    answer_ok(request, fields);
}

const struct message_handler handler_why = {message_why};
