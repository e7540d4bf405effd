#include "lobby/mod/mod.h"

#include "lobby/archive/archive.h"
#include "lobby/chat/chat.h"
#include "lobby/people/people.h"
#include "lobby/play/play.h"
#include "lobby/webhooks/webhooks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Commands that show what staff know of an account, and commands that put an account on hold or
 * release it. */

#define ROWS_MAX 50  /* maximum number of rows of one kind in an answer */
#define HELD_MAX 100 /* maximum number of accounts on hold in an answer */

/* Lists the sanctions that apply to this guest, whether they are in the house or not: first those
 * against their name. */
static void add_guest_sanction_lines(struct order *order, bool is_against_name)
{
    json_t *rows = json_object_get(order->data, "sanctions");
    struct sources sources;
    person_sources_read_of_target(order->house, &order->target, &sources);
    SANCTIONS_EACH(sanction, order->house) {
        bool names_target = sanction_names(&sanction->row, 0, order->target.name);
        if (names_target == is_against_name && json_array_size(rows) < ROWS_MAX &&
            (names_target || person_sources_overlap(sanction->sources, &sources))) {
            order_add_line(order, "%s: %p", sanction_target_text(&sanction->row),
                           say_sentence_argument(sanction_to_sentence(&sanction->row)));
            (void)json_array_append_new(rows, sanction_to_json(&sanction->row, true));
        }
    }
}

static void show_guest(struct order *order)
{
    const struct storage_guest *guest = &order->target.guest;
    bool is_here = person_is_in_house(order->target.person);
    order->data = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:I,s:b,s:[]}", "name", order->target.name,
                            "kind", "guest", "address", guest->address, "net", guest->net, "key",
                            guest->fingerprint, "transport", guest->transport, "seen",
                            (json_int_t)guest->seen_ms, "is_here", (int)is_here, "sanctions");
    if (guest->address[0] == '\0') {
        order_add_line(order, _("%s · a guest, gone for more than a day"), order->target.name);
    } else {
        order_add_line(order, _("%s · a guest from %s by %s · seen %p · %p"), order->target.name,
                       guest->address, guest->transport, say_time_argument(guest->seen_ms),
                       say_word_argument(is_here ? _("in the house") : _("not here")));
    }
    if (guest->fingerprint[0] != '\0') {
        order_add_line(order, _("with the key %s"), guest->fingerprint);
    }
    add_guest_sanction_lines(order, true);
    add_guest_sanction_lines(order, false);
}

/* A key's fingerprint, or "no key", as an argument of %p. */
static void *key_sentence_argument(const char *fingerprint)
{
    return say_word_argument(fingerprint[0] == '\0' ? _("no key") : fingerprint);
}

static bool add_guest_line(void *context, const struct storage_guest *guest)
{
    struct order *order = context;
    order_add_line(order, _("%s · %s by %s · %p · seen %p"), guest->name, guest->address,
                   guest->transport, key_sentence_argument(guest->fingerprint),
                   say_time_argument(guest->seen_ms));
    (void)json_array_append_new(
        order->data, json_pack("{s:s,s:s,s:s,s:I}", "name", guest->name, "address", guest->address,
                               "key", guest->fingerprint, "last", (json_int_t)guest->seen_ms));
    return json_array_size(order->data) < ROWS_MAX;
}

static bool add_related_account_line(void *context, const struct storage_sign_in *row)
{
    struct order *order = context;
    order_add_line(order, _("%s · %s · %p · last %p"), row->name, row->address,
                   key_sentence_argument(row->fingerprint), say_time_argument(row->last_ms));
    (void)json_array_append_new(
        order->data, json_pack("{s:s,s:s,s:s,s:I}", "name", row->name, "address", row->address,
                               "key", row->fingerprint, "last", (json_int_t)row->last_ms));
    return json_array_size(order->data) < ROWS_MAX;
}

static bool add_sanction_line(void *context, const struct storage_sanction *sanction)
{
    struct order *order = context;
    order_add_line(order, sanction->ended_ms == 0 ? "%p" : _("over · %p"),
                   say_sentence_argument(sanction_to_sentence(sanction)));
    return json_array_size(order->lines) < ROWS_MAX;
}

static bool add_former_name_line(void *context, const struct storage_former_name *former)
{
    struct order *order = context;
    order_add_line(order, _("was called %s %p"), former->name,
                   say_until_argument(former->until_ms));
    (void)json_array_append_new(
        json_object_get(order->data, "former"),
        json_pack("{s:s,s:I}", "name", former->name, "until", (json_int_t)former->until_ms));
    return json_array_size(order->lines) < ROWS_MAX;
}

static void show_account(struct order *order)
{
    const struct storage_account *account = &order->target.account;
    const struct person *person = order->target.person;
    order_add_line(
        order,
        account->is_held ? _("%s · number %lld · %p, held · made %p · seen %p · %p")
                         : _("%s · number %lld · %p · made %p · seen %p · %p"),
        account->name, (long long)account->id, say_word_argument(role_display_name(account->role)),
        say_time_argument(account->created_ms), say_time_argument(account->seen_ms),
        say_word_argument(person_is_in_house(person) ? _("in the house") : _("not here")));
    order_add_line(order,
                   account->password_hash[0] == '\0' ? _("has no password") : _("has a password"));
    if (account->is_closed) {
        order_add_line(order, _("closed for good: deleted, or part of another account"));
    }
    order->data = json_pack("{s:s,s:I,s:s,s:b,s:b,s:I,s:I,s:b,s:[]}", "name", account->name, "id",
                            (json_int_t)account->id, "role", role_name(account->role), "is_held",
                            (int)account->is_held, "is_closed", (int)account->is_closed, "made",
                            (json_int_t)account->created_ms, "seen", (json_int_t)account->seen_ms,
                            "is_here", person_is_in_house(person), "former");
    stored_or_fail(order->house, storage_former_names_each(order->house->storage, account->id,
                                                           add_former_name_line, order));
    stored_or_fail(order->house, storage_sanctions_list_of_account(
                                     order->house->storage, account->id, add_sanction_line, order));
}

void mod_run_whois(struct order *order)
{
    if (order->target.kind == TARGET_GUEST) {
        show_guest(order);
    } else {
        show_account(order);
    }
}

static bool add_sign_in_line(void *context, const struct storage_sign_in *row)
{
    struct order *order = context;
    order_add_sentence(order, say_plural("%s · %s · %p · %u time, last %p",
                                         "%s · %s · %p · %u times, last %p", row->name,
                                         row->address, key_sentence_argument(row->fingerprint),
                                         row->count, say_time_argument(row->last_ms)));
    (void)json_array_append_new(order->data,
                                json_pack("{s:s,s:s,s:s,s:I,s:I,s:i}", "name", row->name, "address",
                                          row->address, "key", row->fingerprint, "first",
                                          (json_int_t)row->first_ms, "last",
                                          (json_int_t)row->last_ms, "count", (int)row->count));
    return json_array_size(order->data) < ROWS_MAX;
}

static void add_open_connection_lines(struct order *order)
{
    const struct person *person = order->target.person;
    if (person != NULL) {
        LINKED_CONNS_EACH(conn, &person->conns) {
            order_add_line(order, _("now · session %lld · %s by %s since %p"), (long long)conn->id,
                           conn->address, conn->transport, say_time_argument(conn->since_ms));
        }
    }
}

void mod_run_sessions(struct order *order)
{
    order->data = json_array();
    add_open_connection_lines(order);
    const char *net = order->target.guest.net;
    if (order->target.kind == TARGET_GUEST && net[0] != '\0') {
        stored_or_fail(order->house,
                       storage_guests_each(order->house->storage, net, add_guest_line, order));
    } else if (order->target.kind == TARGET_USER) {
        stored_or_fail(order->house,
                       storage_sign_ins_by_account(order->house->storage, order->target.id,
                                                   add_sign_in_line, order));
    }
    if (json_array_size(order->lines) == 0) {
        order_add_line(order, _("%s has not been here for a long time."), order->target.name);
    }
}

void mod_run_alts(struct order *order)
{
    const struct storage_guest *guest = &order->target.guest;
    struct storage *storage = order->house->storage;
    order->data = json_array();
    if (order->target.kind == TARGET_USER) {
        stored_or_fail(order->house, storage_sign_ins_sharing_source(storage, order->target.id,
                                                                     add_sign_in_line, order));
    } else if (guest->address[0] != '\0') {
        stored_or_fail(order->house,
                       storage_sign_ins_by_source(storage, guest->address, guest->fingerprint,
                                                  add_related_account_line, order));
    }
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("No other account shares an address or a key with %s."),
                       order->target.name);
    }
}

static bool append_account_on_hold(void *context, const struct storage_account *account)
{
    json_t *rows = context;
    (void)json_array_append_new(
        rows, json_pack("{s:s,s:I}", "name", account->name, "at", (json_int_t)account->created_ms));
    return json_array_size(rows) <= HELD_MAX;
}

void message_held(const struct request *request)
{
    json_t *rows = json_array();
    stored_or_fail(request->house, storage_accounts_each_pending(request->house->storage,
                                                                 append_account_on_hold, rows));
    bool is_more = json_array_size(rows) > HELD_MAX;
    if (is_more) {
        (void)json_array_remove(rows, HELD_MAX);
    }
    answer_ok(request, json_pack("{s:o,s:b}", "accounts", rows, "is_more", (int)is_more));
}

/* Updates what connected people see of an account after staff changed the stored account. Without
 * this, they would see the change only after a restart of the core. */

/* Refreshes the tables the person is at, as a player or a spectator. */
static void refresh_tables_of_person(struct house *house, const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (conn_table(conn) != NULL) {
            table_touch(house, conn_table(conn));
        }
    }
}

static void account_sync_refresh_name(struct house *house, int64_t account)
{
    PERSONS_EACH(person, house) {
        if (friends_include_account(person, account)) {
            friends_reload(house, person);
        }
        if (person->account == account) {
            shared_replays_resend_replay_of(house, person);
            refresh_tables_of_person(house, person);
        }
    }
}

static void account_sync_remove_from_contact_lists(struct house *house, int64_t account)
{
    PERSONS_EACH(person, house) {
        if (friends_include_account(person, account)) {
            friends_reload(house, person);
        }
        blocks_load(house, person);
    }
}

static void account_sync_refresh_result(struct house *house, struct table *table)
{
    struct payload *before = table->result;
    if (before == NULL) {
        return;
    }
    table->result = NULL;
    table_finish_make_result(house, table);
    if (payload_is_same(before, table->result)) {
        payload_release(table->result);
        table->result = before;
    } else {
        payload_release(before);
        table_touch(house, table);
    }
}

void account_sync_refresh_ratings(struct house *house)
{
    PERSONS_EACH(person, house) {
        if (person->account != 0) {
            person_read_rating(house, person);
        }
    }
    TABLES_EACH(table, house) {
        account_sync_refresh_result(house, table);
        table_touch(house, table);
        table->table_changed = true; /* it shows the ratings of those who sit there */
    }
    tables_of(house)->rows_changed = true; /* with the tables, bots and their ratings are listed */
}

const struct rating_listener account_sync_rating_listener = {
    .rerated = account_sync_refresh_ratings,
};

/* Commands that change an account's name, role, keys or password, and those that merge and delete
 * accounts. */

static bool rename_seat_holder(struct storage_seat *seat, int64_t account, const char *name)
{
    if (seat->account != account) {
        return false;
    }
    (void)snprintf(seat->name, sizeof(seat->name), "%s", name);
    return true;
}

/* Renames the account at the table; true when the account is the table's host, has a seat, or began
 * the current game. */
static bool rename_account_at_table(struct house *house, struct table *table, int64_t account,
                                    const char *name)
{
    bool is_there = table->row.host == account;
    if (is_there) {
        table_set_host(house, table, account, name);
    }
    for (int seat = 0; seat < table->row.players; seat++) {
        bool is_held = rename_seat_holder(&table->row.seats[seat], account, name);
        bool is_start = rename_seat_holder(&table->plays[seat].starter, account, name);
        is_there = is_there || is_held || is_start;
    }
    return is_there;
}

static void rename_account_at_tables(struct house *house, int64_t account, const char *name)
{
    TABLES_EACH(table, house) {
        if (rename_account_at_table(house, table, account, name)) {
            account_sync_refresh_result(house, table);
        }
    }
}

static bool new_name_is_allowed(struct order *order)
{
    char account[DECISION_ACCOUNT_SIZE];
    name_to_lower(order->word);
    if (name_check(order->word) == NAME_BAD) {
        order_refuse(order, "name_bad",
                     _("A name has 2 to 16 characters, begins with a letter and goes on with a–z, "
                       "0–9, - or _: try another."));
    } else if (name_check(order->word) != NAME_OK) {
        order_refuse(order, "name_reserved", _("That name belongs to the house: try another."));
    } else if (order->rank < RANK_OWNER &&
               former_name_is_reserved(order->house, order->word, order->target.id)) {
        order_refuse(
            order, "name_taken",
            _("Somebody else was called %s not long ago: for %d days nobody gets that name."),
            order->word, FORMER_NAME_DAYS);
    } else {
        decision_write_account_name(order->target.id, account);
        return decision_may_be_changed(order, STORAGE_DECISION_NAME, account);
    }
    return false;
}

/* Reserves a name that the account has just lost. */
static void former_name_reserve(struct house *house, int64_t account, const char *name)
{
    struct storage_former_name former = {.account = account, .until_ms = house->now_ms};
    (void)snprintf(former.name, sizeof(former.name), "%s", name);
    name_write_skeleton(name, former.skeleton);
    stored_or_fail(house, storage_former_name_add(house->storage, &former));
}

/* Renames the person and tells everybody. The new name must be free. */
static void person_rename(struct house *house, struct person *person, const char *name)
{
    PERSON_LISTENERS_CALL(rename, house, person);
    index_remove(&persons_of(house)->by_name, person->name, strlen(person->name));
    (void)snprintf(person->name, sizeof(person->name), "%s", name);
    index_add(&persons_of(house)->by_name, person->name, strlen(person->name), person);
    person_send_you_row(house, person);
}

void mod_run_rename(struct order *order)
{
    struct house *house = order->house;
    char skeleton[NAME_SKELETON_MAX], account[DECISION_ACCOUNT_SIZE];
    if (!new_name_is_allowed(order)) {
        return;
    }
    name_write_skeleton(order->word, skeleton);
    enum storage_result result =
        storage_account_rename(house->storage, order->target.id, order->word, skeleton);
    if (!stored(house, result)) {
        order_refuse(order, "name_taken",
                     _("Somebody has that name, or one that looks like it: try another."));
        return;
    }
    chat_rewrites_update_batch(house);
    former_name_reserve(house, order->target.id, order->target.name);
    decision_write_account_name(order->target.id, account);
    decision_store(order, STORAGE_DECISION_NAME, account);
    order->before = json_pack("{s:s}", "name", order->target.name);
    order->after = json_pack("{s:s}", "name", order->word);
    rename_account_at_tables(house, order->target.id, order->word);
    if (order->target.person != NULL) {
        person_rename(house, order->target.person, order->word);
    }
    account_sync_refresh_name(house, order->target.id);
    security_notify(order->house, order->target.id, NULL, NULL,
                    say(_("You are called %s from now on, says %p: %s"), order->word,
                        say_word_argument(order->by_name), order->reason));
    order_add_line(order, _("%s is called %s now."), order->target.name, order->word);
}

/* Applies the sanctions in force to the account's owner (NULL: not in the house) anew, and
 * disconnects those of their connections that a ban refuses. */
static void sign_in_bans_apply(struct house *house, struct person *person,
                               const struct storage_account *account)
{
    json_t *why = NULL;
    if (person == NULL) {
        return;
    }
    sanctions_load(house, person);
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (sign_in_bans_find(house, conn, account, &why)) {
            conn_dismiss(house, conn, why);
        }
    }
}

/* Sets the role, then loads the sanctions again, since network bans do not apply to staff. */
static void set_role(struct order *order, enum storage_role role)
{
    struct storage_account account = order->target.account;
    staff_set_role(order->house, &account, role);
    account.role = role;
    sign_in_bans_apply(order->house, order->target.person, &account);
}

void mod_run_role(struct order *order)
{
    static const char *const names[] = {STORED_WORDS(STORED_ROLES) NULL};
    const int role = text_find_word(names, order->word);
    if (role < 0) {
        order_refuse(order, "bad", _("A role is player, mod or admin."));
        return;
    }
    if (role == STORAGE_ROLE_ADMIN &&
        !order_require_confirmation(
            order, say(_("An admin may do all that you may, and only the owner can take the role "
                         "from %s again. Are you sure?"),
                       order->target.name))) {
        return;
    }
    const char *word = role_display_name((enum storage_role)role);
    order->before = json_pack("{s:s}", "role", role_name(order->target.account.role));
    order->after = json_pack("{s:s}", "role", order->word);
    set_role(order, (enum storage_role)role);
    security_notify(order->house, order->target.id, NULL, NULL,
                    say(_("Your role is %p now, says %p: %s"), say_word_argument(word),
                        say_word_argument(order->by_name), order->reason));
    order_add_line(order, _("%s is %p now."), order->target.name, say_word_argument(word));
}

static void make_recovery_code(struct order *order)
{
    char text[CODE_TEXT_SIZE];
    code_create(order->house, order->target.id, STORAGE_CODE_RECOVERY, text);
    order_add_line(
        order,
        _("Whoever types %s as the password of %s can sign in once. The code is not shown again."),
        text, order->target.name);
}

void mod_run_account(struct order *order)
{
    struct house *house = order->house;
    struct storage_account account = {
        .kind = STORAGE_PLAYER,
        .role = STORAGE_ROLE_PLAYER,
        .created_ms = house->now_ms,
        .seen_ms = house->now_ms,
        .settings = "{}",
    };
    if (strcmp(order->word, "code") == 0 && order->reason[0] == '\0') {
        char text[CODE_TEXT_SIZE];
        code_create_invitation(house, text);
        order_add_line(order,
                       _("Whoever types %s where a name is asked for can make an account, once, "
                         "within %d days. The code is not shown again."),
                       text, CODE_INVITATION_DAYS);
        return;
    }
    if (strcmp(order->word, "add") != 0) {
        order_refuse(order, "bad", _("Usage: /account %p"), say_word_argument(order->words->args));
        return;
    }
    (void)snprintf(order->word, sizeof(order->word), "%.*s", (int)sizeof(order->word) - 1,
                   order->reason);
    if (!new_name_is_allowed(order)) {
        return;
    }
    if (sign_up_name_is_taken(house, order->word)) {
        order_refuse(order, "name_taken",
                     _("Somebody has that name, or one that looks like it: try another."));
        return;
    }
    (void)snprintf(account.name, sizeof(account.name), "%s", order->word);
    name_write_skeleton(account.name, account.skeleton);
    stored_or_fail(house, storage_account_add(house->storage, &account, &account.id));
    order->target.kind = TARGET_USER;
    order->target.id = account.id;
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", account.name);
    make_recovery_code(order);
}

void mod_run_recover(struct order *order)
{
    make_recovery_code(order);
    security_notify(order->house, order->target.id, NULL, NULL,
                    say(_("%p has made a code that opens your account; the one before is void."),
                        say_word_argument(order->by_name)));
}

/* True when the account has a seat at the table. If the account is to be closed, true also when it
 * began the current game and left, because the game is rated for it. */
static bool account_plays_at_table(const struct table *table, int64_t account, bool is_to_be_closed)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == account ||
            (is_to_be_closed && table->plays[seat].starter.account == account)) {
            return true;
        }
    }
    return false;
}

/* Refuses the order and returns true while the account is playing. If the account is to be closed,
 * running games that it has left count too. */
static bool refuse_while_playing(struct order *order, int64_t account, bool is_to_be_closed)
{
    TABLES_EACH(table, order->house) {
        if (table_is_playing(table) && account_plays_at_table(table, account, is_to_be_closed)) {
            order_refuse(
                order, "seated",
                _("%s is in the game at table #%lld: /adjudicate that game, or wait for its "
                  "end."),
                order->target.name, (long long)table->row.id);
            return true;
        }
    }
    return false;
}

static void vacate_seats_at_table(struct order *order, struct table *table, int64_t account)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == account) {
            table_vacate_seat(order->house, table, seat);
            order_add_line(order, _("Their seat at #%lld is free."), (long long)table->row.id);
        }
    }
}

/* Vacates the seats of an account that is not playing. */
static void vacate_seats_of_account(struct order *order, int64_t account)
{
    TABLES_EACH(table, order->house) {
        vacate_seats_at_table(order, table, account);
    }
}

static void disconnect_target(struct order *order, json_t *why)
{
    if (order->target.person != NULL) {
        LINKED_CONNS_EACH(conn, &order->target.person->conns) {
            conn_dismiss(order->house, conn, json_incref(why));
        }
    }
    json_decref(why);
}

/* Computes the account's ratings anew from its games. */
static void rerate_in_all_games(struct house *house, int64_t account)
{
    for (uint8_t game = 0; game < game_count(); game++) {
        rerate_account(house, account, game_at(game)->id);
    }
    account_sync_refresh_ratings(house);
}

/* Marks the account as a program's or a person's. From now on its ratings and leaderboards are
 * those of a bot, or of a person. The effect of its earlier games on other players' ratings stays;
 * /void and /refund correct that. */
static void set_account_kind(struct order *order, enum storage_kind kind)
{
    struct house *house = order->house;
    struct person *person = order->target.person;
    stored_or_fail(house, storage_account_set_kind(house->storage, order->target.id, kind));
    rerate_in_all_games(house, order->target.id);
    if (person != NULL) {
        person->kind = kind == STORAGE_BOT ? PERSON_BOT : PERSON_PLAYER;
        person_send_you_row(house, person);
    }
}

void mod_run_program(struct order *order)
{
    const struct storage_account *account = &order->target.account;
    bool is_on = strcmp(order->word, "on") == 0;
    enum storage_kind kind = is_on ? STORAGE_BOT : STORAGE_PLAYER;
    if (!is_on && strcmp(order->word, "off") != 0) {
        order_refuse(order, "bad", _("Say on or off."));
    } else if (account->kind == kind) {
        order_refuse(order, "bad", _("Nothing to do: the account has this setting already."));
    } else if (account->role != STORAGE_ROLE_PLAYER) {
        order_refuse(order, "staff", _("An account of staff cannot be a program's."));
    } else if (rerate_is_in_progress(order->house)) {
        order_refuse(order, "busy", _("Ratings are being recomputed: try again in a moment."));
    }
    if (order->code != NULL || refuse_while_playing(order, order->target.id, false)) {
        return;
    }
    vacate_seats_of_account(order, order->target.id);
    order->before = json_pack("{s:b}", "is_program", !is_on);
    order->after = json_pack("{s:b}", "is_program", is_on);
    set_account_kind(order, kind);
    security_notify(order->house, order->target.id, NULL, NULL,
                    say(is_on ? _("Your account is a program's and rated apart, says %p: %s")
                              : _("Your account is a person's again, says %p: %s"),
                        say_word_argument(order->by_name), order->reason));
    order_add_line(order,
                   is_on ? _("%s counts as a program now, rated apart.")
                         : _("%s counts as a person now."),
                   order->target.name);
}

/* Applies the sanctions of the merged account to the account that it was merged into. A ban takes
 * effect at once. */
static void apply_merged_sanctions(struct order *order, const struct order_target *into_account)
{
    sanctions_read_again(order->house);
    sign_in_bans_apply(order->house, into_account->person, &into_account->account);
}

void mod_run_merge(struct order *order)
{
    const struct order_target *into = &order->other;
    if (into->id == order->target.id) {
        order_refuse(order, "bad", _("Those are the same account."));
        return;
    }
    if (into->account.role != STORAGE_ROLE_PLAYER && order->rank < RANK_OWNER) {
        order_refuse(order, "role", _("%s is staff: only the owner may do that."), into->name);
        return;
    }
    if (rerate_is_in_progress(order->house)) {
        order_refuse(order, "busy", _("Ratings are being recomputed: try again in a moment."));
        return;
    }
    if (refuse_while_playing(order, order->target.id, true) ||
        !order_require_confirmation(order, say(_("%s becomes part of %s, for good. Are you sure?"),
                                               order->target.name, into->name))) {
        return;
    }
    vacate_seats_of_account(order, order->target.id);
    hook_delete_for_account(order->house, order->target.id);
    stored_or_fail(order->house,
                   storage_account_merge(order->house->storage, order->target.id, into->id));
    boards_update_account(order->house, order->target.id, NULL);
    order->before =
        json_pack("{s:s,s:I}", "name", order->target.name, "id", (json_int_t)order->target.id);
    order->after = json_pack("{s:s,s:I}", "name", into->name, "id", (json_int_t)into->id);
    disconnect_target(order,
                      say(_("This account is part of %s now: sign in as that."), into->name));
    account_sync_remove_from_contact_lists(order->house, order->target.id);
    rerate_in_all_games(order->house, into->id);
    apply_merged_sanctions(order, into);
    security_notify(
        order->house, into->id, NULL, NULL,
        say(_("%s is part of your account now, says %p: its keys open your account too."),
            order->target.name, say_word_argument(order->by_name)));
    order_add_line(order, _("%s is part of %s now."), order->target.name, into->name);
}

void mod_run_delete(struct order *order)
{
    char name[STORAGE_NAME_SIZE];
    if (refuse_while_playing(order, order->target.id, true) ||
        !order_require_confirmation(
            order, say(_("%s is deleted for good. Are you sure?"), order->target.name))) {
        return;
    }
    vacate_seats_of_account(order, order->target.id);
    (void)snprintf(name, sizeof(name), "deleted-account-%" PRId64, order->target.id);
    hook_delete_for_account(order->house, order->target.id);
    stored_or_fail(order->house,
                   storage_account_erase(order->house->storage, order->target.id, name));
    boards_update_account(order->house, order->target.id, NULL);
    chat_rewrites_update_batch(order->house);
    rename_account_at_tables(order->house, order->target.id, name);
    order->after = json_pack("{s:s}", "name", name);
    disconnect_target(order, say(_("This account is deleted.")));
    account_sync_remove_from_contact_lists(order->house, order->target.id);
    account_sync_refresh_ratings(order->house);
    order_add_line(order, _("%s is deleted; its games stay, without the name."),
                   order->target.name);
}
