#include "lobby/accounts/accounts.h"

#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/mod/mod.h"

#include <arpa/inet.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* Reads how many accounts were registered from the source within the last hour; false when there
 * was none. */
static bool registration_find_recent(struct house *house, const char *source,
                                     struct storage_registration *registration)
{
    return stored(house, storage_registration_read(house->storage, source, registration)) &&
           house->now_ms - registration->first_ms < LIMIT_REGISTRATIONS_MS;
}

static bool registration_is_below_limit(struct house *house, const char *source,
                                        uint32_t limit_factor)
{
    struct storage_registration registration;
    return !registration_find_recent(house, source, &registration) ||
           registration.count < limit_factor * house->config.limits_registrations;
}

/* Writes the IPv6 /48 network around a source, with "/48" at its end; it contains 65,536 sources,
 * which one owner may use. Returns false, and writes "" to `net`, when the source is not IPv6 or is
 * the house's own machine. */
static bool source_write_ipv6_network(const char *source, char net[STORAGE_ADDRESS_SIZE])
{
    char text[INET6_ADDRSTRLEN];
    uint8_t bytes[16];
    net[0] = '\0';
    if (inet_pton(AF_INET6, source, bytes) != 1 || source_is_local(source)) {
        return false;
    }
    memset(bytes + 6, 0, 10);
    (void)inet_ntop(AF_INET6, bytes, text, sizeof(text));
    (void)snprintf(net, STORAGE_ADDRESS_SIZE, "%s/48", text);
    return true;
}

static bool registration_is_allowed(struct house *house, const char *address)
{
    char source[STORAGE_ADDRESS_SIZE];
    char net[STORAGE_ADDRESS_SIZE];
    source_write_from_address(address, source);
    return registration_is_below_limit(house, source, 1) &&
           (!source_write_ipv6_network(source, net) ||
            registration_is_below_limit(house, net, REGISTRATION_NET_SHARES));
}

/* Counts one more registration from this source or network. */
static void registration_record_at_source(struct house *house,
                                          const char source[STORAGE_ADDRESS_SIZE])
{
    struct storage_registration registration;
    if (!registration_find_recent(house, source, &registration)) {
        registration = (struct storage_registration){.first_ms = house->now_ms};
        memcpy(registration.source, source, sizeof(registration.source));
    }
    registration.count++;
    stored_or_fail(house, storage_registration_save(house->storage, &registration));
}

void registrations_forget_old(struct house *house)
{
    stored_or_fail(house, storage_registrations_delete_until(
                              house->storage, house->now_ms - LIMIT_REGISTRATIONS_MS));
}

/* Adds one new account to the registrations counted for this address. */
static void registration_record_new_account(struct house *house, const char *address)
{
    char source[STORAGE_ADDRESS_SIZE];
    char net[STORAGE_ADDRESS_SIZE];
    source_write_from_address(address, source);
    if (source_is_local(source)) {
        return;
    }
    registrations_forget_old(house);
    registration_record_at_source(house, source);
    if (source_write_ipv6_network(source, net)) {
        registration_record_at_source(house, net);
    }
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

#define GUESTS_KEPT_MS INT64_C(86400000)

static void guests_fill_row(const struct house *house, const struct conn *conn,
                            struct storage_guest *guest)
{
    *guest = (struct storage_guest){.seen_ms = house->now_ms};
    (void)snprintf(guest->name, sizeof(guest->name), "%s", conn->person->name);
    (void)snprintf(guest->address, sizeof(guest->address), "%s", conn->address);
    (void)snprintf(guest->fingerprint, sizeof(guest->fingerprint), "%s", conn->key_fingerprint);
    (void)snprintf(guest->transport, sizeof(guest->transport), "%s", conn->transport);
    net_format_household_network(conn->address, guest->net);
}

/* Stores that the guest of this connection is in the house now. Guests are forgotten a day after
 * they have left. Nothing is stored while the disk is full. */
static void guests_record_visit(struct house *house, struct conn *conn)
{
    struct storage_guest guest;
    if (house->is_read_only || conn->person->kind != PERSON_GUEST) {
        return;
    }
    guests_fill_row(house, conn, &guest);
    stored_or_fail(house,
                   storage_guest_save(house->storage, &guest, house->now_ms - GUESTS_KEPT_MS));
}

void guests_forget_old(struct house *house)
{
    stored_or_fail(house,
                   storage_guests_delete_before(house->storage, house->now_ms - GUESTS_KEPT_MS));
}

bool guests_find(struct house *house, const char *name, struct storage_guest *guest)
{
    const struct person *person = person_find(house, name);
    if (person != NULL && person->kind == PERSON_GUEST && !TAILQ_EMPTY(&person->conns)) {
        guests_fill_row(house, TAILQ_FIRST(&person->conns)->conn, guest);
        return true;
    }
    return person == NULL && stored(house, storage_guest_read(house->storage, name, guest));
}

static void guests_add_policy_to_welcome(struct house *house, UNUSED const struct conn *conn,
                                         json_t *message)
{
    (void)json_object_set_new(message, "guests", json_string(policy_value(house, POLICY_GUESTS)));
}

/* Stores the guest's address when they leave, while the person still exists in memory. */
static void guests_record_departure(struct house *house, struct conn *conn)
{
    if (conn->person != NULL) {
        guests_record_visit(house, conn);
    }
}

const struct part guests_part = {
    .name = "guests",
    .describe = guests_add_policy_to_welcome,
    .conn_gone = guests_record_departure,
};

const struct person_listener guests_person_listener = {
    .enter = guests_record_visit,
};
