#include "lobby/mod/mod.h"

#include "lobby/chat/chat.h"
#include "lobby/play/play.h"
#include "lobby/ratings/ratings.h"
#include "lobby/sanctions/sanctions_state.h"
#include "lobby/tables/tables.h"
#include "lobby/webhooks/webhooks.h"
#include "storage/ratings/ratings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* the longest ban that a moderator may impose; admins may ban for longer */
#define BAN_MOD_MS (30 * DAY_MS)
#define BANLIST_MAX 200

/* A ban while it is being prepared and imposed. */
struct banning {
    struct order *order;
    struct net net;                   /* the banned network; set only for TARGET_ADDRESS */
    struct sources sources;           /* the networks and keys of the banned account or guest */
    struct storage_sanction sanction; /* the ban as a sanction, with only the fields that
                                         person_sources_match_person reads */
    size_t count;                     /* of people in the house whom it affects, and their names */
    char names[WORDS_MAX / 2];
};

/* Whether the ban affects the person of this connection. */
static bool ban_affects_conn(const struct banning *banning, const struct conn *conn)
{
    const struct order_target *target = &banning->order->target;
    if (conn->person == NULL) {
        return false;
    }
    if (target->kind == TARGET_USER || target->kind == TARGET_GUEST) {
        return conn->person == target->person ||
               person_sources_match_person(banning->order->house, &banning->sources,
                                           &banning->sanction, conn->person);
    }
    return conn->person->role == STORAGE_ROLE_PLAYER &&
           (target->kind == TARGET_ADDRESS ? net_contains(&banning->net, conn->address)
                                           : strcmp(conn->key_fingerprint, target->name) == 0);
}

static bool ban_affects_person(const struct banning *banning, const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (ban_affects_conn(banning, conn)) {
            return true;
        }
    }
    return false;
}

/* Counts the people in the house whom the ban affects, and writes as many of their names as fit
 * into `names`. */
static size_t ban_count_affected_people(const struct banning *banning, char names[WORDS_MAX / 2])
{
    struct text text = text_init(names, WORDS_MAX / 2);
    size_t count = 0;
    PERSONS_EACH(person, banning->order->house) {
        if (ban_affects_person(banning, person)) {
            text_put(&text, count++ > 0 ? ", " : "");
            text_put(&text, person->name);
        }
    }
    return count;
}

static void ban_disconnect_affected(const struct banning *banning)
{
    struct order *order = banning->order;
    json_t *why = say(
        _("You are banned %p, by %p: %s. Connect again to read how to appeal."),
        say_until_argument(order->expires_ms == 0 ? STORAGE_SANCTION_FOR_GOOD : order->expires_ms),
        order_requester_sentence_argument(order), order->reason);
    CONNS_EACH(conn, order->house) {
        if (ban_affects_conn(banning, conn)) {
            conn_dismiss(order->house, conn, json_incref(why));
        }
    }
    json_decref(why);
}

/* Parses the banned network into *net, if the target is a network. Refuses the order when no
 * connection can match the target. */
static bool ban_parse_target(struct order *order, struct net *net)
{
    const struct order_target *target = &order->target;
    if (target->kind == TARGET_ADDRESS && !net_parse(target->name, net)) {
        order_refuse(order, "bad", _("%s is not an address."), target->name);
    } else if (target->kind == TARGET_KEY && !fingerprint_is_well_formed(target->name)) {
        order_refuse(order, "bad",
                     _("%s is not the fingerprint of a key, which is SHA256: and 43 characters, as "
                       "/sessions and ssh-keygen -l show it."),
                     target->name);
    }
    return order->code == NULL;
}

/* Refuses the order and returns false when the ban would affect the requester's own connection. */
static bool ban_spares_requester(struct order *order, const struct net *net)
{
    const struct order_target *target = &order->target;
    const struct conn *conn = order->conn;
    if (order->rank == RANK_OWNER) {
        return true; /* the owner's commands come from the server itself, not from an address that
                        can be banned */
    }
    if (target->kind == TARGET_ADDRESS && net_contains(net, conn->address)) {
        order_refuse(order, "self",
                     _("You come from %s, which is in %s: nobody bans themselves. Ban a network "
                       "without your address."),
                     conn->address, target->name);
    } else if (target->kind == TARGET_KEY && strcmp(conn->key_fingerprint, target->name) == 0) {
        order_refuse(order, "self", _("You came in with that key: nobody bans themselves."));
    }
    return order->code == NULL;
}

/* Asks for confirmation when the ban affects several people in the house, or a wide network. */
static bool ban_require_confirmation(struct order *order, const struct net *net, size_t count,
                                     const char *names)
{
    if (order->target.kind == TARGET_ADDRESS && net_is_wide(net) && count == 0) {
        return order_require_confirmation(
            order, say(_("%s is a wide network. It affects nobody who is here now, but "
                         "everybody who comes from there. Are you sure?"),
                       order->target.name));
    }
    if (order->target.kind == TARGET_ADDRESS && net_is_wide(net)) {
        return order_require_confirmation(
            order, say_plural("%s is a wide network. It affects %zu person who is here now: %s, "
                              "and everybody else who comes from there. Are you sure?",
                              "%s is a wide network. It affects %zu people who are here now: %s, "
                              "and everybody else who comes from there. Are you sure?",
                              order->target.name, count, names));
    }
    return count <= 1 ||
           order_require_confirmation(
               order,
               say(_("That affects %zu people who are here now: %s. Are you sure?"), count, names));
}

static bool ban_is_confirmed(struct banning *banning)
{
    struct order *order = banning->order;
    person_sources_read_of_target(order->house, &order->target, &banning->sources);
    banning->count = ban_count_affected_people(banning, banning->names);
    return ban_require_confirmation(order, &banning->net, banning->count, banning->names);
}

/* Bans the order's target for the order's duration. Asks for confirmation first when the ban
 * affects several people. */
static void mod_ban_target(struct order *order)
{
    struct banning banning = {.order = order, .sanction = {.since_ms = order->house->now_ms}};
    if (!ban_parse_target(order, &banning.net) || !ban_spares_requester(order, &banning.net) ||
        !ban_is_confirmed(&banning)) {
        return;
    }
    sanction_impose(order, STORAGE_SANCTION_BAN, 0);
    ban_disconnect_affected(&banning);
    order_add_line(order, _("%s is banned, %p: %s"), order->target.name,
                   say_duration_argument(order->duration_ms), order->reason);
    if (banning.count > 0) {
        order_add_line(order, _("Disconnected: %s"), banning.names);
    }
}

void mod_run_ban(struct order *order)
{
    bool is_long = order->duration_ms == ORDER_FOR_GOOD || order->duration_ms > BAN_MOD_MS;
    if (!is_long || mod_require_rank(order, RANK_ADMIN)) {
        mod_ban_target(order);
    }
}

static void add_ban_to_answer(struct order *order, const struct storage_sanction *sanction)
{
    char text[SAY_TEXT_SIZE];
    json_t *line =
        say("%lld · %s · %p%s%.200s", (long long)sanction->id, sanction_target_text(sanction),
            say_sentence_argument(sanction_to_sentence(sanction)),
            sanction->note[0] == '\0' ? "" : " // ", sanction->note);
    say_write_english(line, text, sizeof(text));
    if (order->word[0] != '\0' && strstr(text, order->word) == NULL) {
        json_decref(line);
        return;
    }
    order_add_sentence(order, line);
    (void)json_array_append_new(order->data, sanction_to_json(sanction, true));
}

void mod_run_banlist(struct order *order)
{
    const size_t all = index_count(sanctions_in_force(order->house));
    int64_t *bans = memory_new((all + 1) * sizeof(*bans));
    size_t count = 0;
    order->data = json_array();
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction->row.kind == STORAGE_SANCTION_BAN) {
            bans[count++] = sanction->row.id;
        }
    }
    while (count > 0 && json_array_size(order->data) < BANLIST_MAX) { /* the newest first */
        add_ban_to_answer(order, &sanction_find(order->house, bans[--count])->row);
    }
    free(bans);
    if (json_array_size(order->data) == 0) {
        order_add_line(order, order->word[0] == '\0' ? _("No ban is in force.")
                                                     : _("No such ban is in force."));
    }
}

void mod_run_banedit(struct order *order)
{
    struct house *house = order->house;
    struct sanction *found = sanction_find(house, order->number);
    bool is_long = order->duration_ms == ORDER_FOR_GOOD || order->duration_ms > BAN_MOD_MS;
    if (found == NULL || found->row.kind != STORAGE_SANCTION_BAN) {
        order_refuse(order, "unknown", _("No ban in force has that number: see /banlist."));
        return;
    }
    struct storage_sanction *ban = &found->row;
    if (!decision_requester_may_overrule(order, ban->by_role, ban->by_name) ||
        (is_long && !mod_require_rank(order, RANK_ADMIN))) {
        return;
    }
    order->before = sanction_to_json(ban, true);
    order->reverses = ban->audit;
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", sanction_target_text(ban));
    ban->until_ms =
        order->duration_ms > 0 ? house->now_ms + order->duration_ms : STORAGE_SANCTION_FOR_GOOD;
    (void)snprintf(ban->reason, sizeof(ban->reason), "%s", order->reason);
    (void)snprintf(ban->by_name, sizeof(ban->by_name), "%s", order_requester_name(order));
    ban->by_role = (uint8_t)order->rank;
    stored_or_fail(house, storage_audit_read_next_id(house->storage, &ban->audit));
    sanction_save(house, found);
    order->expires_ms = order->duration_ms > 0 ? ban->until_ms : 0;
    order->after = sanction_to_json(ban, true);
    order_add_line(order, "%s: %p", order->target.name,
                   say_sentence_argument(sanction_to_sentence(ban)));
}

/* Warnings, mutes, suspensions and kicks; and /sanctions, which shows people the sanctions in force
 * against them. */

/* a guest cannot be warned: they may never come back to read it */
#define WARN_GUEST_MS (7 * DAY_MS)
#define KICK_GUEST_MS INT64_C(600000) /* how long a kick bans other guests from the same source */

/* Finds the target's seat at the table, whether the target is in the house or not; -1: none. */
static int find_seat_of_target(const struct table *table, const struct order_target *target)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        bool is_guest = holder->holder == STORAGE_SEAT_GUEST && target->kind == TARGET_GUEST;
        bool is_player = holder->holder == STORAGE_SEAT_PLAYER && target->kind == TARGET_USER;
        if ((is_player && holder->account == target->id) ||
            (is_guest && strcmp(holder->name, target->name) == 0)) {
            return seat;
        }
    }
    return -1;
}

/* Finds the target's seat at the requester's own table before a game; -1: no seat, or the requester
 * is not the host. */
static int find_kickable_seat(const struct order *order)
{
    const struct table *table = conn_table(order->conn);
    if (table == NULL || table_is_playing(table) ||
        strcmp(table->row.host_name, order_requester_name(order)) != 0 ||
        strcmp(order->target.name, order_requester_name(order)) == 0) {
        return -1;
    }
    return find_seat_of_target(table, &order->target);
}

static void take_seat_away(struct order *order, struct table *table, int seat)
{
    if (seat >= 0 && table_is_playing(table)) {
        table_game_leave_for_good(order->house, table, seat);
        order_add_line(order, _("A bot plays on for them at #%lld."), (long long)table->row.id);
    } else if (seat >= 0) {
        table_vacate_seat(order->house, table, seat);
    }
}

/* Takes the seats at this table from all suspended people in the house, under any of their
 * names. */
static void take_seats_of_suspended(struct order *order, struct table *table)
{
    const struct house *house = order->house;
    PERSONS_EACH(person, house) {
        if (sanctions_person_state(person)->by_staff.suspend_ms > house->now_ms) {
            take_seat_away(order, table, table_seat_of(table, person));
        }
    }
}

static void kick_from_all_seats(struct order *order)
{
    TABLES_EACH(table, order->house) {
        take_seat_away(order, table, find_seat_of_target(table, &order->target));
        take_seats_of_suspended(order, table);
    }
}

void mod_run_warn(struct order *order)
{
    order->duration_ms = order->target.kind == TARGET_GUEST ? WARN_GUEST_MS : 0;
    sanction_impose(order, STORAGE_SANCTION_WARN, 0);
    order_add_line(order, _("%s is warned: %s"), order->target.name, order->reason);
}

static uint32_t parse_mute_scopes(struct order *order)
{
    static const char *const names[] = {"lobby", "table", "pm", NULL};
    const char *scope = order_option_value(order, "scope");
    (void)snprintf(order->scope, sizeof(order->scope), "%.30s", scope == NULL ? "all" : scope);
    if (strcmp(order->scope, "all") == 0) {
        return SANCTION_SCOPES_ALL;
    }
    const int index = text_find_word(names, order->scope);
    if (index < 0) {
        order_refuse(order, "bad", _("There is no scope %s: lobby, table, pm or all."),
                     order->scope);
    }
    return index < 0 ? 0 : 1U << index;
}

void mod_run_impose_sanction(struct order *order)
{
    const struct mod_command *command = order->command;
    uint32_t scopes = command->kind == STORAGE_SANCTION_MUTE ? parse_mute_scopes(order) : 0;
    /* a suspension, too, affects those in the house who share the target's sources */
    struct banning banning = {.order = order, .sanction = {.since_ms = order->house->now_ms}};
    if (order->code != NULL ||
        (command->kind == STORAGE_SANCTION_SUSPEND && !ban_is_confirmed(&banning))) {
        return;
    }
    order_add_sentence(order, json_pack("[s,s,o,s]", command->said, order->target.name,
                                        say_duration_argument(order->duration_ms), order->reason));
    sanction_impose(order, command->kind, scopes);
    if (command->kind == STORAGE_SANCTION_SUSPEND) {
        kick_from_all_seats(order);
    }
}

void mod_run_lift_sanction(struct order *order)
{
    if (sanction_lift_all_of_kind(order, order->command->kind)) {
        order_add_sentence(order, json_pack("[s,s]", order->command->said, order->target.name));
        sanction_add_lines_in_force(order, order->target.id, order->target.name);
    }
}

static void kick_from_house(struct order *order)
{
    if (order->reason[0] == '\0') {
        order_refuse(order, "reason", "%s",
                     _("Say why: the player is shown the reason. Only a table's host may free a "
                       "seat without a reason, before the game starts."));
        return;
    }
    if (order->target.person == NULL) {
        order_refuse(order, "absent", _("%s is not in the house."), order->target.name);
        return;
    }
    /* without this ban the guest would return at once under another name */
    if (order->target.kind == TARGET_GUEST) {
        order->duration_ms = KICK_GUEST_MS;
        mod_ban_target(order);
        return;
    }
    LINKED_CONNS_EACH(conn, &order->target.person->conns) {
        conn_dismiss(order->house, conn,
                     say(_("%p has sent you out: %s · You may come back. To complain then, write "
                           "/report %s other and why."),
                         order_requester_sentence_argument(order), order->reason,
                         order_requester_name(order)));
    }
    order_add_line(order, _("%s is sent out: %s"), order->target.name, order->reason);
}

/* Removes a person from their seat before the start, and tells them who did it. */
static void kick_from_seat(struct house *house, struct table *table, int seat,
                           const char *kicked_by)
{
    const struct person *person = table_connected_holder(house, table, seat);
    table_vacate_seat(house, table, seat);
    if (person != NULL) {
        person_send_notice(
            house, person, "warn",
            say(_("%s freed your seat at %p: find another table."), kicked_by, table_title(table)));
    }
}

void mod_run_kick(struct order *order)
{
    int seat = find_kickable_seat(order);
    bool is_hosts = seat >= 0 && (order->reason[0] == '\0' || order->rank < RANK_MOD);
    if (is_hosts) {
        order->table_id = conn_table(order->conn)->row.id;
        kick_from_seat(order->house, conn_table(order->conn), seat, order_requester_name(order));
        order_add_line(order, _("%s has no seat here any more."), order->target.name);
    } else if (order->rank < RANK_MOD) {
        order_refuse(
            order, "not_host",
            _("Only the table's host may free a seat, before the game starts: ask the host."));
    } else if (mod_require_rank(order, RANK_MOD) && mod_may_act_on_target(order)) {
        kick_from_house(order);
    }
}

static bool add_requester_sanction_line(void *context, const struct storage_sanction *sanction)
{
    struct order *order = context;
    order_add_line(order, sanction->ended_ms == 0 ? "%lld · %p" : _("%lld · over · %p"),
                   (long long)sanction->id, say_sentence_argument(sanction_to_sentence(sanction)));
    (void)json_array_append_new(order->data, sanction_to_json(sanction, false));
    return json_array_size(order->data) < SANCTIONS_SHOWN_MAX;
}

static void acknowledge_warnings(struct order *order)
{
    const struct person *person = order->conn->person;
    SANCTIONS_EACH(sanction, order->house) {
        if (sanction->row.kind == STORAGE_SANCTION_WARN &&
            sanction_applies_to_person(order->house, sanction, person)) {
            sanction_end_and_notify(order->house, sanction, order_requester_name(order), NULL);
        }
    }
    order_add_line(order, _("Thank you for reading that."));
}

void mod_run_sanctions(struct order *order)
{
    struct house *house = order->house;
    struct person *person = order->conn->person;
    if (person == NULL) {
        order_refuse(order, "bad", _("No sanction is ever in force against the owner."));
        return;
    }
    if (strcmp(order->word, "ok") == 0) {
        acknowledge_warnings(order);
        return;
    }
    order->data = json_array();
    if (person->account != 0) {
        stored_or_fail(house,
                       storage_sanctions_list_of_account(house->storage, person->account,
                                                         add_requester_sanction_line, order));
        person_sources_each_sanction_of_person(house, person, add_requester_sanction_line, order);
    } else {
        sanctions_for_each(house, person, add_requester_sanction_line, order);
    }
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("No sanction is in force against you, nor ever was."));
    } else {
        order_add_line(order, "%s", SANCTION_APPEAL_HINT);
    }
}

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
                        order_requester_sentence_argument(order), order->reason));
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
                        order_requester_sentence_argument(order), order->reason));
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
                        order_requester_sentence_argument(order)));
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

/* Marks the account as a program's or a person's. From now on its ratings and leaderboards are
 * those of a bot, or of a person. The effect of its earlier games on other players' ratings stays;
 * /void and /refund correct that. */
static void set_account_kind(struct order *order, enum storage_kind kind)
{
    struct house *house = order->house;
    struct person *person = order->target.person;
    stored_or_fail(house, storage_account_set_kind(house->storage, order->target.id, kind));
    for (uint8_t game = 0; game < game_count(); game++) {
        rerate_account(house, order->target.id, game_at(game)->id);
    }
    account_sync_refresh_ratings(house);
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
                        order_requester_sentence_argument(order), order->reason));
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
    boards_update_account(order->house, into->id, NULL);
    order->before =
        json_pack("{s:s,s:I}", "name", order->target.name, "id", (json_int_t)order->target.id);
    order->after = json_pack("{s:s,s:I}", "name", into->name, "id", (json_int_t)into->id);
    disconnect_target(order,
                      say(_("This account is part of %s now: sign in as that."), into->name));
    account_sync_remove_from_contact_lists(order->house, order->target.id);
    account_sync_refresh_ratings(order->house);
    apply_merged_sanctions(order, into);
    security_notify(
        order->house, into->id, NULL, NULL,
        say(_("%s is part of your account now, says %p: its keys open your account too."),
            order->target.name, order_requester_sentence_argument(order)));
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
