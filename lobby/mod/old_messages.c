#include "lobby/house/answers.h"
#include "lobby/house/messages.h"
#include "lobby/mod/mod_line.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/json_read.h"
#include "lobby/sanctions/audit.h"
#include "lobby/tables/tables.h"

#include <stdio.h>
#include <string.h>

/*
 * Messages of protocol 1 that moderation commands have replaced: each is carried out as its
 * command. When protocol 1 is no longer spoken, this file goes, with its lines in messages.def and
 * with `is_old` of struct order.
 */

#define OLD_WORD_MAX 64

/* Each gives the word that follows the command; NULL: the request is answered. */

static const char *no_word(UNUSED const struct request *request)
{
    return "";
}

static const char *name_of(const struct request *request)
{
    const char *name = json_read_name(request->body, "name");
    if (name == NULL) {
        answer_no(request, "unknown", _("No account has that name: look at how it is written."));
    }
    return name;
}

static const char *state_of(const struct request *request)
{
    const char *state = json_read_text(request->body, "state", OLD_WORD_MAX);
    if (state == NULL || state[0] == '\0' ||
        state[strspn(state, "abcdefghijklmnopqrstuvwxyz")] != '\0') {
        answer_no(request, "bad", _("New accounts are open, hold or closed: say which."));
        return NULL;
    }
    return state;
}

static const char *holder_of_seat(const struct request *request)
{
    const struct storage_seat *holder = &request->table->row.seats[request->seat];
    if ((holder->holder != STORAGE_SEAT_PLAYER && holder->holder != STORAGE_SEAT_GUEST) ||
        strcmp(holder->name, request->conn->person->name) == 0) {
        answer_no(request, "bad_seat",
                  _("Nobody else sits there: choose the seat of another person."));
        return NULL;
    }
    return holder->name;
}

static const struct old_message {
    const char *type, *command;
    const char *(*word)(const struct request *request);
} old_messages[] = {
    {"release", "release", name_of},       {"registration_set", "registration", state_of},
    {"backup", "backup", no_word},         {"reload", "reload", no_word},
    {"seat_kick", "kick", holder_of_seat},
};

static void message_old(const struct request *request)
{
    const char *type = json_read_text(request->body, "t", OLD_WORD_MAX);
    const struct old_message *old = old_messages;
    while (strcmp(old->type, type) != 0) {
        old++; /* each type below is in the list */
    }
    const char *word = old->word(request);
    char line[2 * OLD_WORD_MAX];
    if (word != NULL) {
        (void)snprintf(line, sizeof(line), "%s %s", old->command, word);
        mod_line(request, line, audit_via(request->conn), true);
    }
}

const struct message_handler handler_release = {message_old};
const struct message_handler handler_registration_set = {message_old};
const struct message_handler handler_backup = {message_old};
const struct message_handler handler_reload = {message_old};
const struct message_handler handler_seat_kick = {message_old};
