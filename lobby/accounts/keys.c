#include "lobby/accounts/accounts.h"

#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"

#include <sodium.h>
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
        return answer_no(request, "guest", _("A guest has no keys: make an account to have some."));
    }
    stored_or_fail(request->house,
                   storage_key_list(request->house->storage, request->conn->person->account,
                                    list->keys, LIMIT_KEYS, &list->count));
    return true;
}

void message_keys(const struct request *request)
{
    struct key_list list = {.count = 0};
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

void message_key_add(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct key_list list = {.count = 0};
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

void message_key_remove(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const char *text = json_read_text(request->body, "key", STORAGE_FINGERPRINT_SIZE - 1);
    struct key_list list = {.count = 0};
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

/* Writes the name under which wrong codes from the connection's source address are counted
 * (sanctions/sanctions.h). The name contains a blank, so no user has it. */
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
    return answer_retry_later(
        request, wait_s, _("After a wrong code you have to wait: try again in %d s."), (int)wait_s);
}

enum storage_result key_bind(struct house *house, const struct conn *conn, int64_t account)
{
    struct storage_key key = {.added_ms = house->now_ms};
    (void)snprintf(key.fingerprint, sizeof(key.fingerprint), "%s", conn->key_fingerprint);
    (void)snprintf(key.type, sizeof(key.type), "%s", conn->key_type);
    return storage_key_add(house->storage, account, &key);
}

static void code_invalidate(struct house *house, int64_t account, enum storage_code_purpose purpose)
{
    stored_or_fail(house, storage_code_remove(house->storage, account, purpose));
}

/* Adds the connection's key to the account. When another account has the key, answers the request
 * and returns false. */
static bool key_add_to_account(const struct request *request, int64_t account)
{
    struct house *house = request->house;
    enum storage_result result = key_bind(house, request->conn, account);
    if (result == STORAGE_TAKEN) {
        return answer_no(request, "key_taken",
                         _("Your key opens an account already: connect again to use it."));
    }
    stored_or_fail(house, result);
    code_invalidate(house, account, STORAGE_CODE_KEY);
    /* the added key may be the one that makes its owner the first admin */
    admins_promote_first_admin(house);
    return true;
}

void message_code_use(const struct request *request)
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

/* Counts the attempt and answers the request; after a right proof the connection counts as
 * confirmed. */
static void step_up_answer_with_result(struct house *house, const struct auth_proof *proof,
                                       bool is_right)
{
    struct conn *conn = conn_find(house, proof->conn);
    const struct request request = {house, conn, .id = proof->request};
    auth_count_proof_attempt(house, proof, is_right);
    if (conn == NULL) {
        return;
    }
    if (is_right) {
        step_up_confirm_conn(house, conn);
        journal_write(house, conn, "step-up",
                      JOURNAL_PAIRS("account", conn->person->name, "method",
                                    proof->secret[0] != '\0' ? "totp" : "password"));
        answer_ok(&request, json_pack("{s:I}", "for_s", (json_int_t)house->config.staff_step_up_s));
    } else {
        journal_write_denied_sign_in(house, conn, "step-up", conn->person->name, "denied");
        answer_no(&request, "denied", _("That is not right: try again."));
    }
}

/* Ends a confirmation. A code counts only once, so a code that somebody saw while it was typed is
 * useless to them. */
static void step_up_finish_confirmation(struct house *house, const struct auth_proof *proof,
                                        bool is_right)
{
    bool is_code = proof->secret[0] != '\0';
    bool is_fresh =
        !is_code ||
        (is_right &&
         stored(house, storage_totp_mark_used(house->storage, proof->account, proof->step)));
    step_up_answer_with_result(house, proof, is_right && is_fresh);
}

void message_step_up(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    char password[LIMIT_PASSWORD_BYTES + 1];
    bool has_password = password_read(request->body, "password", password, sizeof(password));
    const char *code = json_read_text(request->body, "totp", LIMIT_TOTP_BYTES);
    struct storage_totp totp = {0};
    bool is_code = code != NULL &&
                   stored(house, storage_totp_read(house->storage, conn->person->account, &totp));
    struct auth_proof proof = {
        .conn = conn->id,
        .account = conn->person->account,
        .request = request->id,
        .finish = step_up_finish_confirmation,
    };
    if (is_code || has_password) {
        memcpy(proof.secret, totp.secret, sizeof(proof.secret));
        auth_check_proof(request, &proof, is_code ? code : password);
    } else if (code != NULL) {
        answer_no(request, "totp_none", _("This account has no authenticator: type its password."));
    } else {
        answer_no(request, "bad",
                  _("A field of this message is missing or invalid: see the protocol's page."));
    }
    sodium_memzero(password, sizeof(password));
    sodium_memzero(&totp, sizeof(totp));
    sodium_memzero(&proof, sizeof(proof));
}

/*
 * Authenticator codes: time-based codes of six digits, in steps of 30 s, by SHA-1 (RFC 6238), as
 * all authenticators make them. A code confirms a person as a password does. The secret is shown
 * once. It is stored once the person has typed a code made from it.
 */

#define TOTP_LETTERS (STORAGE_TOTP_SECRET_SIZE - 1)
/* room for the percent-encoded names of the house and the user, and for the rest of the URI */
#define TOTP_URI_SIZE 600

/* the 32 letters and digits of base32 (RFC 4648) */
static const char totp_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

static void totp_make_secret(struct house *house, char secret[STORAGE_TOTP_SECRET_SIZE])
{
    uint8_t bytes[TOTP_LETTERS];
    house->config.random(house->config.random_context, bytes, sizeof(bytes));
    for (size_t i = 0; i < TOTP_LETTERS; i++) {
        secret[i] = totp_alphabet[bytes[i] >> 3];
    }
    secret[TOTP_LETTERS] = '\0';
    sodium_memzero(bytes, sizeof(bytes));
}

static bool totp_is_unreserved_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

/* Appends the text to the URI, percent-encoded (RFC 3986). */
static void totp_append_percent_encoded(char uri[TOTP_URI_SIZE], const char *text)
{
    size_t len = strlen(uri);
    for (; *text != '\0' && len + 4 <= TOTP_URI_SIZE; text++) {
        len += (size_t)snprintf(uri + len, TOTP_URI_SIZE - len,
                                totp_is_unreserved_character(*text) ? "%c" : "%%%02X",
                                (unsigned char)*text);
    }
}

/* Writes the URI that authenticators read, otpauth://totp/House:name?secret=… Parameters with
 * default values are left out, so that the QR code stays small. */
static void totp_write_uri(const struct house *house, const struct conn *conn,
                           char uri[TOTP_URI_SIZE])
{
    (void)snprintf(uri, TOTP_URI_SIZE, "otpauth://totp/");
    totp_append_percent_encoded(uri, house->config.house_name);
    size_t len = strlen(uri);
    (void)snprintf(uri + len, TOTP_URI_SIZE - len, ":%s?secret=%s", conn->person->name,
                   sign_in_state_of_conn(conn)->totp_secret);
}

bool need_no_totp(struct request *request)
{
    if (!request->conn->person->has_totp) {
        return true;
    }
    return answer_no(request, "totp_on",
                     _("An authenticator is set up already: remove it with /totp off first."));
}

void message_totp_begin(const struct request *request)
{
    struct conn *conn = request->conn;
    char uri[TOTP_URI_SIZE];
    totp_make_secret(request->house, sign_in_state_of_conn(conn)->totp_secret);
    totp_write_uri(request->house, conn, uri);
    answer_ok(request, json_pack("{s:s,s:s}", "secret", sign_in_state_of_conn(conn)->totp_secret,
                                 "uri", uri));
    sodium_memzero(uri, sizeof(uri));
}

/* Stores the secret once a right code has shown that the person's authenticator has it. */
static void totp_finish_setup(struct house *house, const struct auth_proof *proof, bool is_right)
{
    struct conn *conn = conn_find(house, proof->conn);
    bool is_kept = is_right && conn != NULL && !conn->person->has_totp &&
                   strcmp(sign_in_state_of_conn(conn)->totp_secret, proof->secret) == 0;
    if (is_kept) {
        struct storage_totp totp = {.used_step = proof->step};
        memcpy(totp.secret, proof->secret, sizeof(totp.secret));
        stored_or_fail(house, storage_totp_put(house->storage, proof->account, &totp));
        conn->person->has_totp = true;
        person_journal_log_event(house, conn, "totp-on");
        security_notify(house, proof->account, conn, NULL,
                        say(_("From now on, codes of an authenticator confirm who you are. If you "
                              "did not set it up: choose another /password, then /totp off.")));
        sodium_memzero(sign_in_state_of_conn(conn)->totp_secret,
                       sizeof(sign_in_state_of_conn(conn)->totp_secret));
        sodium_memzero(&totp, sizeof(totp));
        person_send_you_row(house, conn->person);
    }
    step_up_answer_with_result(house, proof, is_kept);
}

void message_totp_confirm(const struct request *request)
{
    struct conn *conn = request->conn;
    const char *code = json_read_text(request->body, "totp", LIMIT_TOTP_BYTES);
    if (code == NULL || sign_in_state_of_conn(conn)->totp_secret[0] == '\0') {
        answer_no(request, "totp_none",
                  _("No authenticator is being set up: begin with /totp on."));
        return;
    }
    struct auth_proof proof = {
        .conn = conn->id,
        .account = conn->person->account,
        .request = request->id,
        .finish = totp_finish_setup,
    };
    memcpy(proof.secret, sign_in_state_of_conn(conn)->totp_secret, sizeof(proof.secret));
    auth_check_proof(request, &proof, code);
    sodium_memzero(&proof, sizeof(proof));
}

void message_totp_end(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct person *person = conn->person;
    if (!person->has_totp) {
        answer_no(request, "totp_none", _("This account has no authenticator."));
    } else if (step_up_is_confirmed(request)) {
        stored_or_fail(house, storage_totp_remove(house->storage, person->account));
        person->has_totp = false;
        person_journal_log_event(house, conn, "totp-off");
        security_notify(house, person->account, conn, NULL,
                        say(_("Codes of your authenticator are no longer valid. If you did not "
                              "remove it, choose another /password.")));
        step_up_drop_confirmations(house, person);
        person_send_you_row(house, person);
        answer_ok(request, NULL);
    }
}
