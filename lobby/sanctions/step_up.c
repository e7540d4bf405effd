#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions_state.h"

#include <stdio.h>
#include <string.h>

#define KEYS_MAX 16 /* keys with which staff confirmed lately; the oldest gives way */

/* The keys on whose connections somebody has confirmed their identity. */
struct confirmed_keys {
    struct confirmed_key {
        int64_t account, at_ms;
        char fingerprint[STORAGE_FINGERPRINT_SIZE], address[STORAGE_ADDRESS_SIZE];
    } at[KEYS_MAX];
    size_t next;
};

const struct part step_up_part = {
    .name = "step-up",
    .house_size = sizeof(struct confirmed_keys),
};

static struct confirmed_keys *confirmed_keys_of(const struct house *house)
{
    return PART_STATE(house, step_up);
}

/* When the person of this connection, which only asks queries, last confirmed their identity on
 * another with the same key and from the same address; 0: never. */
static int64_t confirmed_by_key_ms(const struct house *house, const struct conn *conn)
{
    const struct confirmed_keys *keys = confirmed_keys_of(house);
    int64_t at_ms = 0;
    for (size_t i = 0; conn->is_query_only && i < KEYS_MAX; i++) {
        const struct confirmed_key *key = &keys->at[i];
        if (key->account == conn->person->account && key->at_ms > at_ms &&
            strcmp(key->fingerprint, conn->key_fingerprint) == 0 &&
            strcmp(key->address, conn->address) == 0) {
            at_ms = key->at_ms;
        }
    }
    return at_ms;
}

static bool step_up_has_secret(const struct person *person)
{
    return person->has_password || person->has_totp;
}

static bool step_up_is_possible(const struct request *request)
{
    const struct person *person = request->conn->person;
    if (person->account == 0) {
        answer_no(request, "guest", _("A guest has nothing to confirm: make an account first."));
    } else if (conn_is_telnet(request->conn)) {
        answer_no(request, "telnet",
                  _("You cannot confirm by telnet, where others can read your password: connect by "
                    "ssh."));
    } else if (!step_up_has_secret(person)) {
        answer_no(request, "no_secret",
                  _("A key alone is not enough for that: set a /password or type /totp on."));
    } else {
        return true;
    }
    return false;
}

const struct need need_secret = {.holds = step_up_is_possible};

bool step_up_is_confirmed(const struct request *request)
{
    if (!step_up_is_possible(request)) {
        return false;
    }
    int64_t confirmed_ms = sanctions_conn_state(request->conn)->confirmed_ms;
    if (confirmed_ms == 0) {
        confirmed_ms = confirmed_by_key_ms(request->house, request->conn);
    }
    int64_t age_ms = request->house->now_ms - confirmed_ms;
    if (confirmed_ms != 0 && age_ms >= 0 &&
        age_ms < INT64_C(1000) * request->house->config.staff_step_up_s) {
        return true;
    }
    answer_no(request, "step_up", _("Confirm first that it is you."));
    return false;
}

bool step_up_is_confirmed_or_no_secret(const struct request *request)
{
    struct conn *conn = request->conn;
    bool is_first = conn->person->account != 0 && !step_up_has_secret(conn->person);
    return (is_first && !conn_is_telnet(conn)) || step_up_is_confirmed(request);
}

const struct need need_step_up = {.holds = step_up_is_confirmed_or_no_secret};

void step_up_confirm_conn(struct house *house, struct conn *conn)
{
    struct storage_account account;
    struct confirmed_keys *keys = confirmed_keys_of(house);
    sanctions_conn_state(conn)->confirmed_ms = house->now_ms;
    if (conn->key_fingerprint[0] == '\0' ||
        !stored(house, storage_account_by_key(house->storage, conn->key_fingerprint, &account)) ||
        account.id != conn->person->account) {
        return;
    }
    struct confirmed_key *key = &keys->at[keys->next++ % KEYS_MAX];
    *key = (struct confirmed_key){.account = account.id, .at_ms = house->now_ms};
    (void)snprintf(key->fingerprint, sizeof(key->fingerprint), "%s", conn->key_fingerprint);
    (void)snprintf(key->address, sizeof(key->address), "%s", conn->address);
}

void step_up_drop_confirmations(const struct house *house, struct person *person)
{
    struct conn *conn = NULL;
    for (size_t i = 0; i < KEYS_MAX; i++) {
        struct confirmed_key *key = &confirmed_keys_of(house)->at[i];
        key->at_ms = key->account == person->account ? 0 : key->at_ms;
    }
    CONN_LINKS_EACH(conn, &person->conns)
    {
        sanctions_conn_state(conn)->confirmed_ms = 0;
    }
}
