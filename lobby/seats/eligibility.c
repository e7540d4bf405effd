#include "lobby/house/answers.h"
#include "lobby/house/messages.h"
#include "lobby/house/words.h"
#include "lobby/protocol/json_read.h"
#include "lobby/tables/invites.h"
#include "lobby/tables/table_fit.h"
#include "lobby/tables/tables.h"

#include <stdio.h>
#include <string.h>

/* Why a person cannot sit down at a table, and what would make it possible. */

static bool why_is_locked(const struct house *house, const struct table *table,
                          const struct person *person)
{
    return table->row.password_hash[0] != '\0' && !invites_has(house, person, table) &&
           strcmp(table->row.host_name, person->name) != 0;
}

/* True when the person can sit down; `words` says so, or why not. */
static bool why_words(struct house *house, const struct table *table, struct person *person,
                      char words[WORDS_MAX])
{
    struct clock_rule rule = table_rule(table);
    long long id = (long long)table->row.id;
    if (table_seat_of(table, person) >= 0) {
        (void)snprintf(words, WORDS_MAX, _("You have a seat there: /watch %lld goes to it."), id);
        return true;
    }
    if (table_is_playing(table)) {
        (void)snprintf(words, WORDS_MAX,
                       _("A game is on there: /watch %lld watches it; seats may be free once it is "
                         "over."),
                       id);
    } else if (person->sanctioned.suspend_ms > house->now_ms) {
        (void)snprintf(words, WORDS_MAX, "%s",
                       _("You may not sit down for now: /sanctions says why and until when."));
    } else if (table_free_seat(table) < 0) {
        (void)snprintf(words, WORDS_MAX,
                       _("Every seat is taken: /watch %lld watches, /new opens a table of your "
                         "own."),
                       id);
    } else if (person->kind == PERSON_GUEST && !clock_rule_is_live(&rule)) {
        (void)snprintf(words, WORDS_MAX, "%s",
                       _("That game is played over days, and a guest cannot come back: make an "
                         "account to sit there."));
    } else if (!table_fit_takes(house, table, person, words)) {
        return false;
    } else if (why_is_locked(house, table, person)) {
        (void)snprintf(words, WORDS_MAX,
                       _("It is locked: ask %s for the password, or for an invitation."),
                       table->row.host_name);
    } else {
        (void)snprintf(words, WORDS_MAX, _("You can: /sit %lld sits down there."), id);
        return true;
    }
    return false;
}

static void message_why(const struct request *request)
{
    int64_t id = 0;
    const struct table *table = json_read_number(request->body, "table", 1, INT64_MAX, &id)
                                    ? table_find(request->house, id)
                                    : NULL;
    char words[WORDS_MAX];
    if (table == NULL) {
        answer_no(request, "unknown",
                  _("There is no such table now: the lobby lists those there are."));
        return;
    }
    bool can_sit = why_words(request->house, table, request->conn->person, words);
    answer_ok(request, json_pack("{s:b,s:s}", "can_sit", can_sit, "why", words));
}

const struct message_handler handler_why = {message_why};
