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
 * Messages of protocol 1 that moderation commands have replaced. Each message runs the command that
 * replaced it. When protocol 1 is no longer supported, delete this file, the lines of these
 * messages in messages.def, and `is_old` of struct order.
 */

#define OLD_WORD_MAX 64

/* Functions that return the argument of the command. When the argument is invalid, they answer the
 * request and return NULL. */

static const char *return_no_argument(UNUSED const struct request *request)
{
    return "";
}

static const char *read_account_name(const struct request *request)
{
    const char *name = json_read_name(request->body, "name");
    if (name == NULL) {
        answer_no(request, "unknown", _("No account has that name: check the spelling."));
    }
    return name;
}

static const char *read_registration_policy(const struct request *request)
{
    const char *state = json_read_text(request->body, "state", OLD_WORD_MAX);
    if (state == NULL || state[0] == '\0' ||
        state[strspn(state, "abcdefghijklmnopqrstuvwxyz")] != '\0') {
        answer_no(request, "bad", _("Registration is open, hold or closed: say which."));
        return NULL;
    }
    return state;
}

static const char *find_holder_of_seat(const struct request *request)
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
    {"release", "release", read_account_name},
    {"registration_set", "registration", read_registration_policy},
    {"backup", "backup", return_no_argument},
    {"reload", "reload", return_no_argument},
    {"seat_kick", "kick", find_holder_of_seat},
};

static void message_old(const struct request *request)
{
    const char *type = json_read_text(request->body, "t", OLD_WORD_MAX);
    const struct old_message *old = old_messages;
    while (strcmp(old->type, type) != 0) {
        old++; /* the loop ends, since old_messages has an entry for every handler below */
    }
    const char *word = old->word(request);
    char line[2 * OLD_WORD_MAX];
    if (word != NULL) {
        (void)snprintf(line, sizeof(line), "%s %s", old->command, word);
        mod_run_line(request, line, audit_interface_name(request->conn), true);
    }
}

const struct message_handler handler_release = {message_old};
const struct message_handler handler_registration_set = {message_old};
const struct message_handler handler_backup = {message_old};
const struct message_handler handler_reload = {message_old};
const struct message_handler handler_seat_kick = {message_old};
