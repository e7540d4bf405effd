#include "lobby/accounts/accounts.h"
#include "lobby/accounts/entry_state.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The keys of one account. */
struct key_list {
    struct storage_key keys[LIMIT_KEYS];
    size_t count;
};

/* Reads the requester's keys. When the requester has no account, answers the request and returns
 * false. */
static bool key_list_read(const struct request *request, struct key_list *list)
{
    if (request->conn->person->account == 0) {
        answer_no(request, "guest", _("A guest has no keys: make an account to have some."));
        return false;
    }
    stored_or_fail(request->house,
                   storage_key_list(request->house->storage, request->conn->person->account,
                                    list->keys, LIMIT_KEYS, &list->count));
    return true;
}

static void message_keys(const struct request *request)
{
    struct key_list list;
    if (!key_list_read(request, &list)) {
        return;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < list.count; i++) {
        const struct storage_key *key = &list.keys[i];
        (void)json_array_append_new(rows,
                                    json_pack("{s:s,s:s,s:I}", "fingerprint", key->fingerprint,
                                              "type", key->type, "at", (json_int_t)key->added_ms));
    }
    answer_ok(request, json_pack("{s:o}", "keys", rows));
}

const struct message_handler handler_keys = {message_keys};

static void message_key_add(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct key_list list;
    char text[CODE_TEXT_SIZE];
    if (conn_is_telnet(conn)) {
        answer_no(request, "telnet",
                  _("Telnet would show the code to others: ask for it over SSH."));
    } else if (!key_list_read(request, &list)) {
        return;
    } else if (list.count >= house->config.accounts_keys_each) {
        answer_no(request, "full",
                  _("You have the maximum number of keys: remove one with /key remove."));
    } else if (step_up_is_confirmed_or_no_secret(request)) {
        code_create(house, conn->person->account, STORAGE_CODE_KEY, text);
        person_journal_log_event(house, conn, "key-code");
        answer_ok(request, json_pack("{s:s,s:I}", "code", text, "for_s",
                                     (json_int_t)house->config.accounts_code_s));
    }
}

const struct message_handler handler_key_add = {message_key_add};

/* Tells the account's owner on all their connections that a key was added or removed.
 * `skipped_conn` (NULL: none) is the connection that removed the key: the answer to its request
 * tells it already. */
static void key_announce_change(struct house *house, int64_t account,
                                const struct conn *skipped_conn, const char *fingerprint,
                                bool is_added)
{
    security_notify(house, account, skipped_conn, is_added ? fingerprint : NULL,
                    say(is_added
                            ? _("The key %s opens your account from now on. If you did not add it: "
                                "see /key list, /key remove it, and choose another /password.")
                            : _("The key %s no longer opens your account. If you did not remove "
                                "it, choose another /password."),
                        fingerprint));
}

/* Finds a key by its fingerprint, or by its number counted from 1; NULL when there is none. */
static const struct storage_key *key_find_by_fingerprint_or_number(const struct key_list *list,
                                                                   const char *text)
{
    char *end = NULL;
    unsigned long number = strtoul(text, &end, 10);
    if (*end == '\0' && number >= 1 && number <= list->count) {
        return &list->keys[number - 1];
    }
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->keys[i].fingerprint, text) == 0) {
            return &list->keys[i];
        }
    }
    return NULL;
}

static void message_key_remove(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const char *text = json_read_text(request->body, "key", STORAGE_FINGERPRINT_SIZE - 1);
    struct key_list list;
    if (conn_is_telnet(conn)) {
        answer_no(request, "telnet", _("Keys cannot be changed over telnet: do that over SSH."));
        return;
    }
    if (!key_list_read(request, &list)) {
        return;
    }
    const struct storage_key *key =
        text == NULL ? NULL : key_find_by_fingerprint_or_number(&list, text);
    if (key == NULL) {
        answer_no(request, "unknown",
                  _("You have no such key: /key list shows each with its number."));
    } else if (list.count == 1 && !conn->person->has_password) {
        answer_no(request, "last",
                  _("That key is the only way into your account: choose a /password or add "
                    "another key first."));
    } else if (step_up_is_confirmed_or_no_secret(request)) {
        stored_or_fail(house,
                       storage_key_remove(house->storage, conn->person->account, key->fingerprint));
        journal_write(house, conn, "key-remove",
                      JOURNAL_PAIRS("account", conn->person->name, "key", key->fingerprint));
        key_announce_change(house, conn->person->account, conn, key->fingerprint, false);
        answer_ok(request, json_pack("{s:s}", "fingerprint", key->fingerprint));
    }
}

const struct message_handler handler_key_remove = {message_key_remove};

/* Writes the name under which wrong codes from the connection's source address are counted
 * (backoff.h). The name contains a blank, so no user has it. */
static void key_write_backoff_name(const struct conn *conn, char name[STORAGE_NAME_SIZE])
{
    char source[STORAGE_ADDRESS_SIZE];
    source_write_from_address(conn->address, source);
    (void)snprintf(name, STORAGE_NAME_SIZE, "code %.50s", source);
}

/* True when a code may be tried on this connection now; otherwise the request is refused. */
static bool key_code_may_be_tried(const struct request *request, const char *backoff_name)
{
    int64_t wait_s = backoff_get_wait_s(request->house, backoff_name);
    if (wait_s == 0) {
        return true;
    }
    answer_retry_later(request, wait_s,
                       _("After a wrong code you have to wait: try again in %d s."), (int)wait_s);
    return false;
}

/* Adds the connection's key to the account. When another account has the key, answers the request
 * and returns false. */
static bool key_add_to_account(const struct request *request, int64_t account)
{
    struct house *house = request->house;
    struct storage_key key = {.added_ms = house->now_ms};
    (void)snprintf(key.fingerprint, sizeof(key.fingerprint), "%s", request->conn->key_fingerprint);
    (void)snprintf(key.type, sizeof(key.type), "%s", request->conn->key_type);
    enum storage_result result = storage_key_add(house->storage, account, &key);
    if (result == STORAGE_TAKEN) {
        answer_no(request, "key_taken",
                  _("Your key opens an account already: connect again to use it."));
        return false;
    }
    stored_or_fail(house, result);
    code_invalidate(house, account, STORAGE_CODE_KEY);
    /* the added key may be the one that makes its owner the first admin */
    admins_promote_first_admin(house);
    return true;
}

static void message_code_use(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const char *text = json_read_text(request->body, "code", STORAGE_NAME_SIZE - 1);
    char backoff_name[STORAGE_NAME_SIZE];
    struct storage_account account;
    int64_t id = 0;
    key_write_backoff_name(conn, backoff_name);
    if (!key_code_may_be_tried(request, backoff_name)) {
        return;
    }
    if (text != NULL &&
        code_find_invitation(house, text, sign_in_state_of_conn(conn)->invitation)) {
        backoff_reset(house, backoff_name);
        answer_ok(request, json_pack("{s:s}", "result", "invited"));
        return;
    }
    sign_in_state_of_conn(conn)->invitation[0] = '\0';
    if (text != NULL && conn->key_fingerprint[0] == '\0') {
        backoff_count_failure(house, backoff_name);
        answer_no(request, "no_key",
                  _("This connection has no key to add: make one with ssh-keygen, connect again, "
                    "then type the code."));
        return;
    }
    if (text == NULL || !code_find_owner(house, text, STORAGE_CODE_KEY, &id)) {
        backoff_count_failure(house, backoff_name);
        journal_write_denied_sign_in(house, conn, "code", NULL, "denied");
        answer_no(request, "code_bad",
                  _("That code is wrong, used or too old: ask for another with "
                    "/key add."));
        return;
    }
    backoff_reset(house, backoff_name);
    if (key_add_to_account(request, id) &&
        stored(house, storage_account_by_id(house->storage, id, &account))) {
        key_announce_change(house, id, NULL, conn->key_fingerprint, true);
        entry_sign_in(request, &account, false);
        person_journal_log_sign_in(house, conn, "code");
    }
}

const struct message_handler handler_code_use = {message_code_use};
