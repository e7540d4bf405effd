#include "lobby/accounts/accounts.h"

#include <arpa/inet.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE_GROUP 4
#define CODE_HASH_BYTES 32

static const char code_alphabet[] = "BCDFGHJKMNPQRSTVWXYZ";

#define CODE_ALPHABET_LEN (sizeof(code_alphabet) - 1)
/* Random bytes of at least this value are drawn again, so that all letters are equally likely. */
#define CODE_BYTE_END (256 / CODE_ALPHABET_LEN * CODE_ALPHABET_LEN)

static char random_code_letter(struct house *house)
{
    uint8_t byte = 0;
    do {
        house->config.random(house->config.random_context, &byte, sizeof(byte));
    } while (byte >= CODE_BYTE_END);
    return code_alphabet[byte % CODE_ALPHABET_LEN];
}

static size_t code_length(enum storage_code_purpose purpose)
{
    return purpose == STORAGE_CODE_RECOVERY ? CODE_LETTERS_MAX : CODE_LETTERS_MAX / 2;
}

static void hash_code_letters(const char *letters, size_t len, char hash[STORAGE_CODE_HASH_SIZE])
{
    uint8_t bytes[CODE_HASH_BYTES];
    (void)crypto_generichash(bytes, sizeof(bytes), (const uint8_t *)letters, len, NULL, 0);
    (void)sodium_bin2hex(hash, STORAGE_CODE_HASH_SIZE, bytes, sizeof(bytes));
}

/* Writes the letters of a code in groups, separated by dashes. */
static void write_code_in_groups(const char *letters, size_t len, char text[CODE_TEXT_SIZE])
{
    for (size_t i = 0; i < len; i++) {
        if (i > 0 && i % CODE_GROUP == 0) {
            *text++ = '-';
        }
        *text++ = letters[i];
    }
    *text = '\0';
}

static void draw_code(struct house *house, size_t len, char text[CODE_TEXT_SIZE],
                      char hash[STORAGE_CODE_HASH_SIZE])
{
    char letters[CODE_LETTERS_MAX];
    for (size_t i = 0; i < len; i++) {
        letters[i] = random_code_letter(house);
    }
    hash_code_letters(letters, len, hash);
    write_code_in_groups(letters, len, text);
}

void code_create(struct house *house, int64_t account, enum storage_code_purpose purpose,
                 char text[CODE_TEXT_SIZE])
{
    struct storage_code code = {.account = account, .purpose = purpose, .expires_ms = INT64_MAX};
    enum storage_result result = STORAGE_TAKEN;
    size_t len = code_length(purpose);
    if (purpose == STORAGE_CODE_KEY) {
        code.expires_ms = house->now_ms + 1000 * (int64_t)house->config.accounts_code_s;
    }
    while (result == STORAGE_TAKEN) {
        draw_code(house, len, text, code.hash);
        result = storage_code_put(house->storage, &code);
    }
    stored_or_fail(house, result);
}

/* Reads the letters of a typed code; false when it does not have exactly `len` letters. */
static bool read_code_letters(const char *text, size_t len, char letters[CODE_LETTERS_MAX])
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        int c = *text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text;
        if (c == '-' || c == ' ') {
            continue;
        }
        if (c < 'A' || c > 'Z' || count == len) {
            return false;
        }
        letters[count++] = (char)c;
    }
    return count == len;
}

void code_create_invitation(struct house *house, char text[CODE_TEXT_SIZE])
{
    char hash[STORAGE_CODE_HASH_SIZE];
    draw_code(house, CODE_LETTERS_MAX / 2, text, hash);
    stored_or_fail(house,
                   storage_rule_set(house->storage, STORAGE_RULE_INVITED, hash,
                                    house->now_ms + CODE_INVITATION_DAYS * INT64_C(86400000)));
}

/* True until the invitation is used, by whoever typed it, or expires. */
static bool code_invitation_is_valid(struct house *house, const char *hash)
{
    int64_t until_ms = 0;
    stored_or_fail(house, storage_rule_read(house->storage, STORAGE_RULE_INVITED, hash, &until_ms));
    return until_ms > house->now_ms;
}

static bool code_find_invitation(struct house *house, const char *text,
                                 char hash[STORAGE_CODE_HASH_SIZE])
{
    char letters[CODE_LETTERS_MAX];
    if (!read_code_letters(text, CODE_LETTERS_MAX / 2, letters)) {
        return false;
    }
    hash_code_letters(letters, CODE_LETTERS_MAX / 2, hash);
    return code_invitation_is_valid(house, hash);
}

bool code_find_owner(struct house *house, const char *text, enum storage_code_purpose purpose,
                     int64_t *account)
{
    char letters[CODE_LETTERS_MAX];
    size_t len = code_length(purpose);
    char hash[STORAGE_CODE_HASH_SIZE];
    struct storage_code code;
    if (!read_code_letters(text, len, letters)) {
        return false;
    }
    hash_code_letters(letters, len, hash);
    if (!stored(house, storage_code_find(house->storage, purpose, hash, &code)) ||
        code.expires_ms <= house->now_ms) {
        return false;
    }
    *account = code.account;
    return true;
}

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

static enum storage_result key_bind(struct house *house, const struct conn *conn, int64_t account)
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

/* Sign-up: creates accounts. */

/* Reads how many accounts were registered from the source within the last hour; false when there
 * was none. */
static bool registration_find_recent(struct house *house, const char *source,
                                     struct storage_registration *registration)
{
    return stored(house, storage_registration_read(house->storage, source, registration)) &&
           house->now_ms - registration->first_ms < LIMIT_REGISTRATIONS_MS;
}

/* The sources at which a registration from one address is counted: the address (for IPv6, its /64
 * network), and for IPv6 the /48 network, which contains 65,536 sources that one owner may use. */
struct registration_sources {
    size_t count;
    char at[2][STORAGE_ADDRESS_SIZE];
};

static struct registration_sources registration_list_sources(const char *address)
{
    struct registration_sources sources = {.count = 1};
    char text[INET6_ADDRSTRLEN];
    uint8_t bytes[16];
    source_write_from_address(address, sources.at[0]);
    if (!source_is_local(sources.at[0]) && inet_pton(AF_INET6, sources.at[0], bytes) == 1) {
        memset(bytes + 6, 0, 10);
        (void)inet_ntop(AF_INET6, bytes, text, sizeof(text));
        (void)snprintf(sources.at[sources.count++], STORAGE_ADDRESS_SIZE, "%s/48", text);
    }
    return sources;
}

static bool registration_is_allowed(struct house *house, const char *address)
{
    const struct registration_sources sources = registration_list_sources(address);
    struct storage_registration registration;
    for (size_t i = 0; i < sources.count; i++) {
        const uint32_t shares = i == 0 ? 1 : REGISTRATION_NET_SHARES;
        if (registration_find_recent(house, sources.at[i], &registration) &&
            registration.count >= shares * house->config.limits_registrations) {
            return false;
        }
    }
    return true;
}

/* Adds one new account to the registrations counted for this address. */
static void registration_record_new_account(struct house *house, const char *address)
{
    const struct registration_sources sources = registration_list_sources(address);
    struct storage_registration registration;
    if (source_is_local(sources.at[0])) {
        return;
    }
    stored_or_fail(house, storage_registrations_delete_until(
                              house->storage, house->now_ms - LIMIT_REGISTRATIONS_MS));
    for (size_t i = 0; i < sources.count; i++) {
        if (!registration_find_recent(house, sources.at[i], &registration)) {
            registration = (struct storage_registration){.first_ms = house->now_ms};
            memcpy(registration.source, sources.at[i], sizeof(registration.source));
        }
        registration.count++;
        stored_or_fail(house, storage_registration_save(house->storage, &registration));
    }
}

bool former_name_is_reserved(struct house *house, const char *name, int64_t excepted_account)
{
    char skeleton[NAME_SKELETON_MAX];
    bool is_kept = false;
    name_write_skeleton(name, skeleton);
    stored_or_fail(house, storage_former_name_is_taken(house->storage, skeleton, excepted_account,
                                                       house->now_ms - FORMER_NAME_DAYS * DAY_MS,
                                                       &is_kept));
    return is_kept;
}

bool sign_up_name_is_taken(struct house *house, const char *name)
{
    char skeleton[NAME_SKELETON_MAX];
    name_write_skeleton(name, skeleton);
    struct storage_account account;
    return stored(house, storage_account_by_skeleton(house->storage, skeleton, &account)) ||
           former_name_is_reserved(house, name, 0);
}

/* True when the name is valid and free; otherwise the request is refused. */
static bool sign_up_check_name(const struct request *request, const char *name)
{
    enum name_result result = name == NULL ? NAME_BAD : name_check(name);
    if (result == NAME_BAD) {
        answer_no(request, "name_bad",
                  _("A name has 2 to 16 characters, begins with a letter and goes on with a–z, "
                    "0–9, - or _: try another."));
    } else if (result == NAME_RESERVED) {
        answer_no(request, "name_reserved", _("That name belongs to the house: try another."));
    } else if (sign_up_name_is_taken(request->house, name)) {
        answer_no(request, "name_taken",
                  _("Somebody has that name, or one that looks like it: try another."));
    } else {
        return true;
    }
    return false;
}

void message_name_check(const struct request *request)
{
    if (sign_up_check_name(request, json_read_name(request->body, "name"))) {
        answer_ok(request, NULL);
    }
}

/* True when the person typed an invitation that nobody has used meanwhile. */
static bool sign_up_is_invited(struct house *house, const struct conn *conn)
{
    const char *invitation = sign_in_state_of_conn(conn)->invitation;
    return invitation[0] != '\0' && code_invitation_is_valid(house, invitation);
}

static bool sign_up_is_allowed(const struct request *request)
{
    struct house *house = request->house;
    if (allowlist_has_conn(house, request->conn)) {
        return true;
    }
    bool is_invited = sign_up_is_invited(house, request->conn);
    if (!is_invited && policy_has_value(house, POLICY_REGISTRATION, "closed")) {
        return answer_no(request, "closed",
                         _("This house takes no new accounts at present: come in as guest."));
    }
    if (!is_invited && !registration_is_allowed(house, request->conn->address)) {
        return answer_no(
            request, "closed",
            _("Too many accounts were made from your address: try again in an hour, or come "
              "in as guest."));
    }
    return sign_in_bans_allow(request, NULL);
}

bool sign_up_compose_password(const struct request *request, const char *typed,
                              char password[LIMIT_PASSWORD_BYTES + 1])
{
    const struct house_config *config = &request->house->config;
    size_t len = password_compose(typed, password, LIMIT_PASSWORD_BYTES + 1) ? strlen(password) : 0;
    if (len >= config->accounts_password_min && len <= config->accounts_password_max) {
        return true;
    }
    return answer_no(
        request, "password_bad", _("A password has %u to %u bytes: a few words make a good one."),
        (unsigned)config->accounts_password_min, (unsigned)config->accounts_password_max);
}

/* True when no account has the connection's key; otherwise the request is refused. */
static bool sign_up_check_key(const struct request *request)
{
    struct storage_account account;
    if (request->conn->key_fingerprint[0] == '\0' ||
        !stored(request->house, storage_account_by_key(request->house->storage,
                                                       request->conn->key_fingerprint, &account))) {
        return true;
    }
    return answer_no(
        request, "key_taken",
        _("Your key opens an account that was made just now: connect again to use it."));
}

void message_sign_up(const struct request *request)
{
    json_t *body = request->body;
    const char *name = json_read_name(body, "name");
    if (!sign_up_is_allowed(request) || !sign_up_check_name(request, name) ||
        !sign_up_check_key(request)) {
        return;
    }
    if (!json_read_key_is_absent(body, "password")) {
        const char *typed = json_string_value(json_object_get(body, "password"));
        char password[LIMIT_PASSWORD_BYTES + 1];
        if (sign_up_compose_password(request, typed, password)) {
            auth_hash_sign_up_password(request, name, password);
        }
        sodium_memzero(password, sizeof(password));
    } else if (request->conn->key_fingerprint[0] == '\0') {
        answer_no(request, "password_bad",
                  _("Without a key an account needs a password: choose one."));
    } else {
        sign_up_create_account(request, name, "");
    }
}

/* True when the key is the one that the configuration names for the first admin. */
static bool admins_is_first_admin_key(const struct house *house, const char *fingerprint)
{
    return fingerprint[0] != '\0' && strcmp(fingerprint, house->config.house_first_admin) == 0;
}

static void code_use_invitation(struct house *house, const char *hash)
{
    stored_or_fail(house, storage_rule_set(house->storage, STORAGE_RULE_INVITED, hash, 0));
}

/* Whether an account made over this connection starts as held, because its owner is held under
 * another name. */
static bool sanctions_user_of_conn_is_held(struct house *house, const struct conn *conn)
{
    SANCTIONS_EACH(sanction, house) {
        if (sanction->row.kind == STORAGE_SANCTION_HOLD &&
            person_sources_match_conn(house, sanction, conn, NULL)) {
            return true;
        }
    }
    return false;
}

void sign_up_create_account(const struct request *request, const char *name,
                            const char *password_hash)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    if (conn->phase != PHASE_UNREGISTERED || !sign_up_is_allowed(request) ||
        !sign_up_check_name(request, name) || !sign_up_check_key(request)) {
        return;
    }
    struct storage_account account = {
        .kind = STORAGE_PLAYER,
        .role = admins_is_first_admin_key(house, conn->key_fingerprint) ? STORAGE_ROLE_ADMIN
                                                                        : STORAGE_ROLE_PLAYER,
        .created_ms = house->now_ms,
        .seen_ms = house->now_ms,
    };
    bool is_invited = sign_up_is_invited(house, conn);
    account.is_held = account.role == STORAGE_ROLE_PLAYER && !allowlist_has_conn(house, conn) &&
                      ((policy_has_value(house, POLICY_REGISTRATION, "hold") && !is_invited) ||
                       sanctions_user_of_conn_is_held(house, conn));
    (void)snprintf(account.name, sizeof(account.name), "%s", name);
    name_write_skeleton(name, account.skeleton);
    (void)snprintf(account.settings, sizeof(account.settings), "%s",
                   conn_is_telnet(conn) ? TELNET_SETTINGS : "{}");
    (void)snprintf(account.password_hash, sizeof(account.password_hash), "%s", password_hash);
    stored_or_fail(house, storage_account_add(house->storage, &account, &account.id));
    if (conn->key_fingerprint[0] != '\0') {
        stored_or_fail(house, key_bind(house, conn, account.id));
    }
    if (is_invited) {
        code_use_invitation(house, sign_in_state_of_conn(conn)->invitation);
    }
    registration_record_new_account(house, conn->address);
    metrics_count(house, HOUSE_METRIC_sign_ups, NULL, NULL, 1);
    journal_write(house, conn, "sign-up",
                  JOURNAL_PAIRS("account", account.name, "method",
                                password_hash[0] != '\0' ? "password" : "key", "held",
                                account.is_held ? "yes" : "no", "transport", conn->transport,
                                "address", conn->address));
    entry_sign_in(request, &account, true);
    if (account.is_held) {
        staff_notify(house, STORAGE_ROLE_MOD,
                     say(_("The new account %s is held: /release %s lets its owner talk."),
                         account.name, account.name));
    }
}
