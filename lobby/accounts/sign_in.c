#include "lobby/accounts/accounts.h"

#include "lobby/chat/chat.h"
#include "lobby/people/people.h"
#include "lobby/play/play.h"
#include "lobby/tables/tables.h"
#include "lobby/webhooks/webhooks.h"
#include "storage/house/house.h"
#include "storage/people/people.h"
#include "storage/ratings/ratings.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

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

bool guests_find(struct house *house, const char *name, struct storage_guest *guest)
{
    const struct person *person = person_find(house, name);
    if (person != NULL && person->kind == PERSON_GUEST && !TAILQ_EMPTY(&person->conns)) {
        guests_fill_row(house, TAILQ_FIRST(&person->conns)->conn, guest);
        return true;
    }
    return person == NULL && stored(house, storage_guest_read(house->storage, name, guest));
}

/* Adds what whoever signs in has to know about the house's rules. */
static void accounts_add_rules_to_welcome(struct house *house, UNUSED const struct conn *conn,
                                          json_t *message)
{
    const struct house_config *config = &house->config;
    (void)json_object_set_new(message, "guests", json_string(policy_value(house, POLICY_GUESTS)));
    (void)json_object_set_new(message, "password",
                              json_pack("[II]", (json_int_t)config->accounts_password_min,
                                        (json_int_t)config->accounts_password_max));
}

/* Stores a guest's address when they leave, while the person still exists in memory. */
static void note_departure(struct house *house, struct conn *conn)
{
    if (conn->person != NULL) {
        guests_record_visit(house, conn);
    }
    auth_requeue_job_of_worker(house, conn);
}

const struct person_listener guests_person_listener = {
    .enter = guests_record_visit,
};

static bool telnet_is_enabled(const struct storage_account *account)
{
    json_t *settings = json_loads(account->settings, 0, NULL);
    bool is_on = json_read_bool(settings, "telnet", false);
    json_decref(settings);
    return is_on;
}

/* True when this account may sign in on this connection; otherwise the request is refused. */
static bool telnet_sign_in_is_allowed(const struct request *request,
                                      const struct storage_account *account)
{
    if (!conn_is_telnet(request->conn)) {
        return true;
    }
    if (account->role != STORAGE_ROLE_PLAYER) {
        return answer_no(request, "telnet", _("Staff cannot use telnet: use ssh."));
    }
    if (!telnet_is_enabled(account)) {
        return answer_no(
            request, "telnet",
            _("This account is for ssh only. To use telnet too, connect by ssh once and "
              "switch telnet on in the settings."));
    }
    return true;
}

static const char entry_guests[] = "guest";

static int64_t entry_take_guest_number(struct house *house)
{
    int64_t number = accounts_of(house)->guest_unsaved;
    if (!house->is_read_only) {
        stored_or_fail(house, storage_counter_reserve(house->storage, entry_guests, 1, &number));
        return number;
    }
    if (number == 0) {
        stored_or_fail(house, storage_counter_read(house->storage, entry_guests, &number));
    }
    accounts_of(house)->guest_unsaved = number + 1;
    return number;
}

/* Adds a new recovery code to the sign-in answer, if the account is new or its owner has just used
 * the old code. The code is shown only once, and never over telnet, where others could read it. */
static void entry_add_recovery_code(struct house *house, const struct conn *conn,
                                    struct you_row *you)
{
    const struct person *person = conn->person;
    char text[CODE_TEXT_SIZE];
    if (conn_is_telnet(conn) || !(person->is_new || sign_in_state_of_conn(conn)->is_recovered)) {
        return;
    }
    code_create(house, person->account, STORAGE_CODE_RECOVERY, text);
    row_copy_text(you->recovery, sizeof(you->recovery), text);
    you->is_recovered = sign_in_state_of_conn(conn)->is_recovered;
}

/* Records the address of a sign-in. Staff use it to find other accounts of the same person. */
static void entry_record_sign_in(struct house *house, struct conn *conn)
{
    struct storage_connection from = {.account = conn->person->account};
    conn->is_unrecorded = house->is_read_only;
    if (house->is_read_only) {
        return; /* entry_record_delayed_sign_in records the sign-in once the disk has room */
    }
    (void)snprintf(from.address, sizeof(from.address), "%s", conn->address);
    (void)snprintf(from.key_fingerprint, sizeof(from.key_fingerprint), "%s", conn->key_fingerprint);
    stored_or_fail(house, storage_sign_in_add(house->storage, &from, house->now_ms));
}

/* True when the person was absent from the house until this connection, so that their friends may
 * want to know of the arrival. */
static bool entry_conn_makes_person_present(const struct person *person, const struct conn *conn)
{
    if (person->account == 0 || !person_is_present_through(person, conn)) {
        return false;
    }
    LINKED_CONNS_EACH(other, &person->conns) {
        if (other != conn && person_is_present_through(person, other)) {
            return false;
        }
    }
    return true;
}

/* Stores that the person was seen now. Returns when they were last seen before (unix ms; 0:
 * never). */
static int64_t entry_update_last_seen(struct house *house, const struct conn *conn)
{
    const struct person *person = conn->person;
    struct storage_account account;
    if (person->account == 0 || !person_is_present_through(person, conn) ||
        !stored(house, storage_account_by_id(house->storage, person->account, &account))) {
        return 0;
    }
    if (!house->is_read_only) {
        stored_or_fail(
            house, storage_account_set_last_seen(house->storage, person->account, house->now_ms));
    }
    return account.seen_ms;
}

/* later than any real deadline; stands for tables without a deadline */
#define NO_DEADLINE_MS (INT64_MAX / 2)

/* Returns by when a disconnected player should be back at this table; the player is sent to the
 * table with the earliest such time. INT64_MAX: the player need not return to this table. */
static int64_t return_deadline_ms(const struct house *house, const struct table *table, int seat)
{
    const struct storage_table *row = &table->row;
    if (table->gone_ms[seat] == 0 || table_is_turn_by_turn(table) ||
        row->halt == STORAGE_HALT_ADJOURN) {
        return INT64_MAX;
    }
    if (!table_is_playing(table)) {
        return NO_DEADLINE_MS + table->gone_ms[seat];
    }
    int64_t over_ms = table_waits_for_seat(table, seat)
                          ? table_times_timeout_at_ms(house, table, seat)
                          : INT64_MAX;
    return over_ms < NO_DEADLINE_MS ? over_ms : NO_DEADLINE_MS;
}

/* Returns the number of the table to which a disconnected person is sent back: of their live
 * tables, the one whose clock runs out first. Returns 0 when they were not disconnected or no table
 * waits for them. Call it before the person counts as present again. */
static int64_t absences_table_to_return_to(const struct house *house, const struct person *person)
{
    int64_t first = 0;
    int64_t first_ms = INT64_MAX;
    TABLES_EACH(table, house) {
        int seat = table_seat_of(table, person);
        int64_t table_ms = seat < 0 ? INT64_MAX : return_deadline_ms(house, table, seat);
        if (table_ms < first_ms) {
            first = table->row.id;
            first_ms = table_ms;
        }
    }
    return first;
}

/* Returns an entering person to their seats. Called before anybody is told of the arrival. */
static void entry_return_person_to_seats(struct house *house, struct conn *conn)
{
    struct person *person = conn->person;
    table_conn_state(conn)->back_to =
        conn->is_program ? 0 : absences_table_to_return_to(house, person);
    deadline_respite_end(house, person->account);
    table_people_return_to_seats(house, person);
}

static void entry_record_delayed_sign_in(struct house *house, struct conn *conn)
{
    entry_record_sign_in(house, conn);
    (void)entry_update_last_seen(house, conn);
    if (!conn->is_query_only) {
        deadline_respite_end(house, conn->person->account);
    }
}

/* Sends a person who has just entered the message of the day, if there is one, and how many news
 * entries they have not read. */
static void news_greet(struct house *house, const struct conn *conn)
{
    char motd[STORAGE_META_SIZE];
    int64_t count = 0;
    if (stored(house, storage_meta_get(house->storage, MOTD_META, motd)) && motd[0] != '\0') {
        conn_send_notice(house, conn, "motd", say("%s", motd));
    }
    stored_or_fail(house,
                   storage_news_count(house->storage, news_last_read_entry(conn->person), &count));
    if (count > 0) {
        conn_send_notice(house, conn, "info",
                         say_plural("%d piece of news you have not read: /news",
                                    "%d pieces of news you have not read: /news", (int)count));
    }
}

/* Tells a session that has just signed in that the disk is full. Does not tell it that the disk has
 * room again. */
static void read_only_tell_newcomer(struct house *house, struct conn *conn)
{
    if (house->is_read_only) {
        read_only_notify_session(house, conn);
    }
}

/* Tells the client to go back to the table that absences_table_to_return_to chose, if any. */
static void absences_send_back_to_table(struct house *house, const struct conn *conn)
{
    if (table_conn_state(conn)->back_to != 0) {
        conn_send(house, conn,
                  json_pack("{s:s,s:I}", "t", "back", "table",
                            (json_int_t)table_conn_state(conn)->back_to));
    }
}

/* Tells the player which of their halted games will go on at a deadline, with or without them. */
static void tell_resume_deadlines(struct house *house, const struct conn *conn)
{
    TABLES_EACH(table, house) {
        int seat = table_is_playing(table) ? table_seat_of(table, conn->person) : -1;
        if (seat >= 0) {
            resume_deadlines_tell_time_left(house, table, seat, conn);
        }
    }
}

/* After sign-in, tells the person which other games wait for their move, and which halted games
 * will go on at a deadline, with or without them. */
static void absences_tell_games_awaiting_move(struct house *house, const struct conn *conn)
{
    char buffer[WORDS_MAX / 2];
    struct text list = text_init(buffer, sizeof(buffer));
    unsigned count = 0;
    TABLES_EACH(table, house) {
        int seat = table_seat_of(table, conn->person);
        if (seat >= 0 && table_waits_for_seat(table, seat) &&
            table->row.id != table_conn_state(conn)->back_to) {
            text_put(&list, count == 0 ? "#" : ", #");
            text_put_number(&list, table->row.id);
            count++;
        }
    }
    tell_resume_deadlines(house, conn);
    if (count > 0) {
        conn_send_notice(house, conn, "info",
                         say_plural("%u game waits for your move: %s; /next goes there.",
                                    "%u games wait for your move: %s; /next goes to the first.",
                                    count, buffer));
    }
}

/* Sends an entering person what they need to know, and tells others about them. */
static void entry_announce_person(struct house *house, struct conn *conn, bool is_arrival,
                                  int64_t last_seen_ms)
{
    struct person *person = conn->person;
    absences_send_back_to_table(
        house,
        conn); /* sent first: the notices below depend on the table to which the person returns */
    conn->heard = 0; /* whoever signs in is sent all lines */
    PARTS_CALL(hello, house, conn);
    absences_tell_games_awaiting_move(house, conn);
    news_greet(house, conn);
    sanctions_notify_conn(house, conn);
    case_answers_send_unread(house, conn);
    security_send_stored_notices(house, conn);
    hook_send_undelivered_count(house, conn);
    read_only_tell_newcomer(house, conn);
    if (is_arrival) {
        presence_end_away_status(house, person);
        friends_announce_arrival(house, person, last_seen_ms);
    }
    if (person->is_held) {
        conn_send_notice(
            house, conn, "info",
            say(_("Welcome. Play as you like; you can chat and are on the leaderboards once a "
                  "moderator has released your account.")));
    }
}

void message_come_in(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const char *as = json_read_text(request->body, "as", 16);
    bool is_coming = conn->is_query_only;
    conn->is_program = is_coming && as != NULL && strcmp(as, "program") == 0;
    conn->is_query_only = false;
    answer_ok(request, NULL);
    if (!is_coming || conn->person == NULL) {
        return; /* a person who is not signed in yet enters later, when they sign in */
    }
    person_mark_changed(house, conn->person);
    bool is_arrival = entry_conn_makes_person_present(conn->person, conn);
    int64_t last_seen_ms = entry_update_last_seen(house, conn);
    conn_save(house, conn);
    entry_return_person_to_seats(house, conn);
    entry_announce_person(house, conn, is_arrival, last_seen_ms);
}

/* True when guests may enter; otherwise the request is answered `closed`. */
static bool guests_are_admitted(const struct request *request)
{
    if (!policy_has_value(request->house, POLICY_GUESTS, "no")) {
        return true;
    }
    return answer_no(request, "closed",
                     _("This house takes no guests at present: sign in, or make an account."));
}

/* Stores the network and key of a person's new connection with the sanctions against that person.
 * From now on these sanctions also apply to others with that network or key. */
static void sanctions_store_conn_sources(struct house *house, const struct conn *conn)
{
    SANCTIONS_EACH(sanction, house) {
        if (sanction_names(&sanction->row, conn->person->account, "") &&
            (SANCTIONS_THAT_FOLLOW >> sanction->row.kind & 1) != 0) {
            person_sources_store_of_conn(house, sanction, conn, true);
        }
    }
}

void entry_sign_in(const struct request *request, const struct storage_account *account,
                   bool is_new_account)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const struct person *present = account == NULL ? NULL : person_find(house, account->name);
    char name[STORAGE_NAME_SIZE] = "";
    if (!sign_in_bans_allow(request, account) ||
        (account == NULL && !guests_are_admitted(request))) {
        return;
    }
    if (account == NULL) {
        (void)snprintf(name, sizeof(name), "guest-%" PRId64, entry_take_guest_number(house));
    } else if (!telnet_sign_in_is_allowed(request, account)) {
        return;
    } else if (present != NULL && present->conn_count >= house->config.limits_sessions_each) {
        answer_no(request, "sessions",
                  _("You are signed in %u times already: close one of those sessions first."),
                  (unsigned)house->config.limits_sessions_each);
        return;
    }
    person_enter(house, conn, account, name);
    struct person *person = conn->person;
    bool is_arrival = entry_conn_makes_person_present(person, conn);
    int64_t last_seen_ms = entry_update_last_seen(house, conn);
    person->is_new = is_new_account;
    if (person->account != 0) {
        entry_record_sign_in(house, conn);
        sanctions_store_conn_sources(house, conn);
    }
    conn_save(house, conn);
    if (!conn->is_query_only) {
        entry_return_person_to_seats(house, conn);
    }
    struct you_row you = person_make_you_row(person);
    entry_add_recovery_code(house, conn, &you);
    answer_ok(request, json_pack("{s:s,s:o}", "result", "in", "you", you_row_write(&you)));
    person->is_new = false;
    if (!conn->is_query_only) {
        entry_announce_person(house, conn, is_arrival, last_seen_ms);
    }
}

/* Signs a connection in again after a restart of the core; false when the sign-in is no longer
 * allowed. */
static bool entry_restore_person(struct house *house, struct conn *conn,
                                 const struct storage_connection *row)
{
    struct storage_account account;
    json_t *why = NULL;
    bool is_guest = row->account == 0;
    sign_in_state_of_conn(conn)->is_recovered = row->is_recovered;
    if (!is_guest &&
        !stored(house, storage_account_by_id(house->storage, row->account, &account))) {
        return false;
    }
    if (sign_in_bans_find(house, conn, is_guest ? NULL : &account, &why)) {
        conn_dismiss(
            house, conn,
            why); /* the core stopped after storing a ban, but before disconnecting the person */
        return false;
    }
    person_enter(house, conn, is_guest ? NULL : &account, row->name);
    return true;
}

/* Makes the reads of accounts, persons, people and chat. */
static void entry_read_person_ahead(struct house *house, const struct storage_connection *row)
{
    struct storage *storage = house->storage;
    struct storage_account account;
    struct storage_totp totp;
    struct storage_rating rating;
    if (row->account != 0) {
        stored_ahead(house, storage_account_by_id(storage, row->account, &account));
        stored_ahead(house, storage_account_by_name(storage, row->name, &account));
        stored_ahead(house, storage_totp_read(storage, row->account, &totp));
        stored_ahead(house, storage_rating_read_most_played(storage, row->account, &rating));
        stored_ahead(house, storage_friends_each(storage, row->account, NULL, NULL));
        stored_ahead(house, storage_channels_of_account(storage, row->account, NULL, NULL));
    }
    if (row->key_fingerprint[0] != '\0') {
        stored_ahead(house, storage_account_by_key(storage, row->key_fingerprint, &account));
    }
}

/* Called when the disk has room again: stores the sign-ins and the last guest's number, which were
 * kept only in memory. */
static void entry_store_delayed_records(struct house *house)
{
    CONNS_EACH(conn, house) {
        if (conn->is_unrecorded && conn->person != NULL) {
            entry_record_delayed_sign_in(house, conn);
            /* the sign-in stays unrecorded until its row is committed */
            conn->is_unrecorded = true;
        }
    }
    if (accounts_of(house)->guest_unsaved != 0) {
        stored_or_fail(house, storage_counter_raise(house->storage, entry_guests,
                                                    accounts_of(house)->guest_unsaved));
    }
}

/* Forgets what entry_store_delayed_records has stored. */
static void entry_forget_delayed_records(struct house *house)
{
    CONNS_EACH(conn, house) {
        conn->is_unrecorded = false;
    }
    accounts_of(house)->guest_unsaved = 0;
}

static void entry_fill_connection_row(const struct conn *conn, struct storage_connection *row)
{
    row->is_recovered = sign_in_state_of_conn(conn)->is_recovered;
}

static void load_accounts(struct house *house)
{
    TAILQ_INIT(&accounts_of(house)->jobs);
    if (!house->is_read_only) {
        entry_forget_delayed_records(house);
    }
    policies_load(house);
}

const struct part accounts_part = {
    .name = "accounts",
    .house_size = sizeof(struct accounts),
    .conn_size = sizeof(struct sign_in_state_of_conn),
    .load = load_accounts,
    .clear = auth_clear_jobs,
    .measure = auth_measure_queue,
    .listens = PEER_AUTH,
    .peer_ready = auth_assign_jobs_to_ready_worker,
    .describe = accounts_add_rules_to_welcome,
    .conn_row = entry_fill_connection_row,
    .conn_return = entry_restore_person,
    .read_ahead = entry_read_person_ahead,
    .conn_gone = note_departure,
    .save = entry_store_delayed_records,
};

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

/* Reads ahead what the sign-in of the key's owner, which comes next, will read. */
static void key_read_owner_ahead(const struct request *request,
                                 const struct storage_account *account, const char *fingerprint)
{
    struct storage_connection row = {.account = account->id};
    (void)snprintf(row.name, sizeof(row.name), "%s", account->name);
    (void)snprintf(row.key_fingerprint, sizeof(row.key_fingerprint), "%s", fingerprint);
    (void)snprintf(row.address, sizeof(row.address), "%s", request->conn->address);
    read_ahead(request->house, &row, 1);
}

void message_key_check(const struct request *request)
{
    struct key_offer offer;
    if (!key_offer_read(request->body, &offer)) {
        sign_in_refuse_malformed(request);
        return;
    }
    struct storage_account account;
    switch (key_find_account(request->house, request->conn, &offer, &account)) {
    case KEY_KNOWN:
        key_read_owner_ahead(request, &account, offer.fingerprint);
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
               !sign_in_by_recovery_code(request, name, password)) {
        auth_check_sign_in_password(request, name, password);
    }
    sodium_memzero(password, sizeof(password));
}

static void sign_in_as_guest(const struct request *request)
{
    entry_sign_in(request, NULL, false);
    person_journal_log_sign_in(request->house, request->conn, "guest");
}

void message_sign_in(const struct request *request)
{
    static const char *const methods[] = {"guest", "key", "password", NULL};
    static void (*const signs[])(const struct request *request) = {sign_in_as_guest, sign_in_by_key,
                                                                   sign_in_by_password};
    int method = json_read_word(request->body, "method", methods, -1);
    request->conn->is_query_only = json_read_bool(request->body, "asks", false);
    if (method < 0) {
        sign_in_refuse_malformed(request);
        return;
    }
    signs[method](request);
}
