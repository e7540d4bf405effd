#include "lobby/entry.h"

#include "lobby/answers.h"
#include "lobby/away.h"
#include "lobby/codes.h"
#include "lobby/conns.h"
#include "lobby/friends.h"
#include "lobby/hooks.h"
#include "lobby/mod/closing.h"
#include "lobby/mod/sanctions.h"
#include "lobby/news.h"
#include "lobby/persons.h"
#include "lobby/presence.h"
#include "lobby/stored.h"
#include "lobby/table_people.h"
#include "lobby/table_times.h"
#include "lobby/telnet.h"
#include "lobby/words.h"
#include "storage/meta.h"
#include "storage/regards.h"

#include <inttypes.h>
#include <stdio.h>

#define SIGN_INS_KEPT_MS (180 * INT64_C(86400000))

static void entry_guest_name(struct house *house, char name[STORAGE_NAME_SIZE])
{
    int64_t number = 0;
    stored_or_fail(house, storage_counter_take(house->storage, "guest", 1, &number));
    (void)snprintf(name, STORAGE_NAME_SIZE, "guest-%" PRId64, number);
}

static bool entry_has_room(struct house *house, const struct storage_account *account)
{
    const struct person *person = person_find(house, account->name);
    return person == NULL || person->conn_count < house->config.limits.sessions_each;
}

/* A new account, and one whose recovery code was used up, get a code, told this once. Telnet would
 * tell it to others. */
static void entry_put_recovery(struct house *house, const struct conn *conn, json_t *you)
{
    const struct person *person = conn->person;
    char text[CODE_TEXT_SIZE];
    if (telnet_is_used(conn) || !(person->is_new || conn->is_recovered)) {
        return;
    }
    code_make(house, person->account, STORAGE_CODE_RECOVERY, text);
    (void)json_object_set_new(you, "recovery", json_string(text));
    (void)json_object_set_new(you, "is_recovered", json_boolean(conn->is_recovered));
}

/* From where, for staff who look for somebody's other accounts. */
static void entry_note(struct house *house, const struct conn *conn)
{
    struct storage_connection from = {.account = conn->person->account};
    (void)snprintf(from.address, sizeof(from.address), "%s", conn->address);
    (void)snprintf(from.key_fingerprint, sizeof(from.key_fingerprint), "%s", conn->key_fingerprint);
    stored_or_fail(house, storage_sign_in_note(house->storage, &from, house->now_ms,
                                               house->now_ms - SIGN_INS_KEPT_MS));
}

void entry_sign_in(struct house *house, struct conn *conn, int64_t request,
                   const struct storage_account *account, bool is_new)
{
    char name[STORAGE_NAME_SIZE] = "";
    if (!sanctions_admit(house, conn, request, account)) {
        return;
    }
    if (account == NULL) {
        entry_guest_name(house, name);
    } else if (!telnet_admits(house, conn, request, account)) {
        return;
    } else if (!entry_has_room(house, account)) {
        char why[WORDS_MAX];
        (void)snprintf(why, sizeof(why),
                       _("You are signed in %u times already: leave one of those first."),
                       (unsigned)house->config.limits.sessions_each);
        answer_no(house, conn, request, "sessions", why);
        return;
    }
    bool is_arrival = account != NULL && person_find(house, account->name) == NULL;
    person_enter(house, conn, account, name);
    struct person *person = conn->person;
    person->is_new = is_new;
    if (person->account != 0) {
        entry_note(house, conn);
        stored_or_fail(house,
                       storage_account_set_seen(house->storage, person->account, house->now_ms));
    }
    conn_save(house, conn);
    table_times_present(house, person->account);
    table_people_connected(house, person);
    json_t *you = person_you(person);
    entry_put_recovery(house, conn, you);
    answer_ok(house, conn, request, json_pack("{s:s,s:o}", "result", "in", "you", you));
    person->is_new = false;
    entry_tell_all(house, conn);
    away_tell_turns(house, conn);
    closing_tell_motd(house, conn);
    news_tell(house, conn);
    sanctions_tell(house, conn);
    hook_tell(house, conn);
    if (is_arrival) {
        presence_stir(house, person);
        friends_announce(house, person, account->seen_ms);
    }
    if (person->is_held) {
        conn_notice(house, conn, "info",
                    _("Welcome. Play as you like; you can chat and are on the leaderboards once a "
                      "moderator has released your account."));
    }
}
