#include "games/text.h"
#include "lobby/accounts/accounts.h"
#include "lobby/accounts/entry_state.h"
#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define SUGGESTIONS_MAX 99

enum key_result {
    KEY_KNOWN, /* the key belongs to an account, and *account was filled in */
    KEY_NEW,   /* the key belongs to no account, and no account has that name */
    KEY_DENIED,
};

/* A key, and the user name that the client gave with it. Both point into the message. */
struct key_offer {
    const char *name, *type, *fingerprint;
};

/* Reads the key and the name; false when a field is missing. */
static bool key_offer_read(json_t *body, struct key_offer *offer)
{
    const json_t *key = json_object_get(body, "key");
    offer->name = json_read_name(body, "name");
    offer->type = json_read_text(key, "type", STORAGE_KEY_TYPE_SIZE - 1);
    offer->fingerprint = json_read_text(key, "fingerprint", STORAGE_FINGERPRINT_SIZE - 1);
    return offer->name != NULL && offer->type != NULL && offer->fingerprint != NULL &&
           strncmp(offer->fingerprint, "SHA256:", 7) == 0;
}

static enum key_result key_find_account(struct house *house, const struct conn *conn,
                                        const struct key_offer *offer,
                                        struct storage_account *account)
{
    struct storage_account named;
    if (conn_is_telnet(conn)) {
        return KEY_DENIED; /* over telnet a client cannot prove that it owns a key */
    }
    bool is_named = stored(house, storage_account_by_name(house->storage, offer->name, &named)) ||
                    !stored_can_commit(house);
    if (!stored(house, storage_account_by_key(house->storage, offer->fingerprint, account))) {
        return is_named ? KEY_DENIED : KEY_NEW;
    }
    return is_named && named.id != account->id ? KEY_DENIED : KEY_KNOWN;
}

static void sign_in_refuse_malformed(const struct request *request)
{
    answer_no(request, "bad",
              _("A field of this message is missing or invalid: see the protocol's page."));
}

static void message_key_check(const struct request *request)
{
    struct key_offer offer;
    if (!key_offer_read(request->body, &offer)) {
        sign_in_refuse_malformed(request);
        return;
    }
    struct storage_account account;
    switch (key_find_account(request->house, request->conn, &offer, &account)) {
    case KEY_KNOWN:
        read_ahead_for_sign_in(request->house, request->conn, &account, offer.fingerprint);
        answer_ok(request, json_pack("{s:s,s:s}", "result", "known", "name", account.name));
        return;
    case KEY_NEW:
        answer_ok(request, json_pack("{s:s}", "result", "new"));
        return;
    case KEY_DENIED:
        answer_deny_sign_in(request, request->house->now_ms);
        return;
    }
}

const struct message_handler handler_key_check = {message_key_check};

/* Writes a valid, free name similar to the wished one; "" when there is none. */
static void sign_in_suggest_name(struct house *house, const char *wished_name,
                                 char out[NAME_MAX_BYTES + 1])
{
    char base[NAME_MAX_BYTES + 1];
    name_make_valid(wished_name, base);
    (void)snprintf(out, NAME_MAX_BYTES + 1, "%s", base);
    if (name_check(base) != NAME_OK) {
        out[0] = '\0';
        return;
    }
    for (uint32_t i = 2; sign_up_name_is_taken(house, out); i++) {
        if (i > SUGGESTIONS_MAX) {
            out[0] = '\0';
            return;
        }
        name_append_number(base, i, out);
    }
}

static void sign_in_as_unregistered(const struct request *request, const char *wished_name)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    char name[NAME_MAX_BYTES + 1];
    if (!sign_in_bans_allow(request, NULL)) {
        return;
    }
    sign_in_suggest_name(house, wished_name, name);
    conn->phase = PHASE_UNREGISTERED;
    conn_save(house, conn);
    answer_ok(request, json_pack("{s:s,s:s}", "result", "visitor", "name", name));
    read_only_tell_newcomer(house, conn);
}

static void sign_in_remember_key(struct conn *conn, const struct key_offer *offer)
{
    (void)snprintf(conn->key_type, sizeof(conn->key_type), "%s", offer->type);
    (void)snprintf(conn->key_fingerprint, sizeof(conn->key_fingerprint), "%s", offer->fingerprint);
}

static void sign_in_by_key(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct key_offer offer;
    if (!key_offer_read(request->body, &offer)) {
        sign_in_refuse_malformed(request);
        return;
    }
    struct storage_account account;
    bool is_known = false;
    switch (key_find_account(house, conn, &offer, &account)) {
    case KEY_KNOWN:
        sign_in_remember_key(conn, &offer);
        entry_sign_in(request, &account, false);
        /* a later sign-up on this connection must not add the key to its account */
        if (conn->phase != PHASE_IN) {
            conn->key_type[0] = conn->key_fingerprint[0] = '\0';
        }
        person_journal_log_sign_in(house, conn, "key");
        return;
    case KEY_NEW:
        sign_in_remember_key(conn, &offer);
        sign_in_as_unregistered(request, offer.name);
        return;
    case KEY_DENIED:
        is_known = stored(house, storage_account_by_name(house->storage, offer.name, &account));
        journal_write_denied_sign_in(house, conn, "key", is_known ? account.name : NULL, "denied");
        answer_deny_sign_in(request, house->now_ms);
        return;
    }
}

/* Signs in by the account's recovery code, which replaces the password once; false when the text is
 * not the account's recovery code. The code is too long to be guessed, so wrong passwords of others
 * do not delay its owner. */
static bool sign_in_by_recovery_code(const struct request *request, const char *name,
                                     const char *text)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct storage_account account;
    int64_t id = 0;
    if (conn_is_telnet(conn) || !code_find_owner(house, text, STORAGE_CODE_RECOVERY, &id) ||
        !stored(house, storage_account_by_name(house->storage, name, &account)) ||
        account.id != id) {
        return false;
    }
    if (house->is_read_only) { /* the code could not be marked as used */
        read_only_refuse(request);
        return true;
    }
    sign_in_state_of_conn(conn)->is_recovered = true;
    entry_sign_in(request, &account, false);
    sign_in_state_of_conn(conn)->is_recovered = conn->phase == PHASE_IN;
    person_journal_log_sign_in(house, conn, "recovery");
    return true;
}

static void sign_in_by_password(const struct request *request)
{
    json_t *body = request->body;
    const char *name = json_read_name(body, "name");
    char password[LIMIT_PASSWORD_BYTES + 1];
    bool has_password = password_read(body, "password", password, sizeof(password));
    const char *text = json_read_text(body, "password", PAYLOAD_MAX);
    if (name == NULL) {
        sign_in_refuse_malformed(request);
    } else if (text != NULL && sign_in_bans_handle_appeal(request, text)) {
        return;
    } else if (!has_password) {
        answer_deny_sign_in(request, request->house->now_ms);
    } else if (password[0] == '\0') {
        sign_in_as_unregistered(request, name);
    } else if (sign_in_bans_allow_before_proof(request, name) &&
               !sign_in_by_recovery_code(request, name, password) &&
               auth_sign_in_is_allowed(request, name)) {
        auth_check_sign_in_password(request, name, password);
    }
    sodium_memzero(password, sizeof(password));
}

static void sign_in_as_guest(const struct request *request)
{
    entry_sign_in(request, NULL, false);
    person_journal_log_sign_in(request->house, request->conn, "guest");
}

static void message_sign_in(const struct request *request)
{
    static const char *const methods[] = {"guest", "key", "password", NULL};
    static void (*const signs[])(const struct request *request) = {sign_in_as_guest, sign_in_by_key,
                                                                   sign_in_by_password};
    int method = text_find_word(methods, json_read_text(request->body, "method", 16));
    request->conn->is_query_only = json_read_bool(request->body, "asks", false);
    if (method < 0) {
        sign_in_refuse_malformed(request);
        return;
    }
    signs[method](request);
}

const struct message_handler handler_sign_in = {message_sign_in};
