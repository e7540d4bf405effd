#include "lobby/answers.h"
#include "lobby/conns.h"
#include "lobby/messages.h"
#include "lobby/persons.h"
#include "lobby/protocol/json_read.h"
#include "lobby/stored.h"
#include "lobby/words.h"

/* Tells who is here, wherever they are. */
static void held_is_over(struct house *house, struct person *person)
{
    const struct conn *conn = NULL;
    person->is_held = false;
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        conn_notice(house, conn, "info",
                    _("Your account is released: you can chat and are on the leaderboards."));
    }
}

void message_release(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    const char *name = json_read_text(body, "name", STORAGE_NAME_SIZE - 1);
    struct storage_account account;
    if (conn->person->role == STORAGE_ROLE_PLAYER) {
        answer_no(house, conn, request, "role",
                  _("Only moderators release accounts: ask one of them."));
        return;
    }
    if (name == NULL || !stored(house, storage_account_by_name(house->storage, name, &account))) {
        answer_no(house, conn, request, "unknown",
                  _("No account has that name: look at how it is written."));
        return;
    }
    struct person *person = person_find(house, account.name);
    stored_or_fail(house, storage_account_set_held(house->storage, account.id, false));
    if (person != NULL && person->is_held) {
        held_is_over(house, person);
    }
    answer_ok(house, conn, request, NULL);
}
