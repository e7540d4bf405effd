#include "lobby/invites.h"

#include "lobby/answers.h"
#include "lobby/conns.h"
#include "lobby/messages.h"
#include "lobby/mod/regards.h"
#include "lobby/persons.h"
#include "lobby/stored.h"
#include "lobby/table_fit.h"
#include "lobby/tables.h"
#include "storage/regards.h"

#include <stdio.h>

bool invites_has(const struct house *house, const struct person *person, const struct table *table)
{
    return person->invite.table == table->row.id && person->invite.until_ms > house->now_ms;
}

static void invites_push(struct house *house, const struct table *table,
                         const struct person *person)
{
    const struct conn *conn = NULL;
    TAILQ_FOREACH(conn, &person->conns, of_person)
    {
        conn_push(house, conn,
                  json_pack("{s:s,s:I,s:s,s:s,s:I}", "t", "invite", "table",
                            (json_int_t)table->row.id, "game", table->game->id, "from",
                            table->row.host_name, "for_s", (json_int_t)(INVITE_MS / 1000)));
    }
}

/* Whether somebody would rather not: they do not hear the host, or do not play with them or with
 * somebody who sits there. */
static bool invites_are_unwanted(struct house *house, const struct table *table,
                                 const struct person *host, const struct person *person)
{
    bool is_apart = false;
    if (host->account != 0 && person->account != 0) {
        stored_or_fail(house, storage_regard_between(house->storage, person->account, host->account,
                                                     STORAGE_REGARD_NOPLAY, &is_apart));
    }
    return is_apart || regards_keep_apart(person, table) || !regards_hears(person, host->account);
}

void invites_make(struct house *house, const struct table *table, const struct person *host,
                  struct person *person)
{
    if (invites_are_unwanted(house, table, host, person)) {
        return;
    }
    person->invite.table = table->row.id;
    person->invite.until_ms = house->now_ms + INVITE_MS;
    invites_push(house, table, person);
    table_fits_changed(house);
}

void message_decline(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    struct person *person = conn->person;
    struct table *table = table_find(house, person->invite.table);
    (void)body;
    if (table == NULL || !invites_has(house, person, table)) {
        answer_no(house, conn, request, "unknown", _("Nobody has invited you lately."));
        return;
    }
    const struct person *host = person_find(house, table->row.host_name);
    const struct conn *other = NULL;
    char words[WORDS_MAX];
    person->invite.table = 0;
    (void)snprintf(words, sizeof(words), _("%s does not come to #%lld now."), person->name,
                   (long long)table->row.id);
    if (host != NULL) {
        TAILQ_FOREACH(other, &host->conns, of_person)
        {
            conn_notice(house, other, "info", words);
        }
    }
    answer_ok(house, conn, request, NULL);
}
