#include "lobby/mod/mod.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/play/play.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/sanctions/sanctions_state.h"
#include "lobby/seats/seats.h"
#include "lobby/tables/tables.h"

#include <stdio.h>
#include <string.h>

/* Warnings, mutes, suspensions and kicks; and /sanctions, which shows people the sanctions in force
 * against them. */

/* a guest cannot be warned: they may never come back to read it */
#define WARN_GUEST_MS (7 * INT64_C(86400000))
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
    const struct person *person = NULL;
    INDEX_EACH(&persons_of(house)->by_name, person)
    {
        if (sanctions_person_state(person)->by_staff.suspend_ms > house->now_ms) {
            take_seat_away(order, table, table_seat_of(table, person));
        }
    }
}

static void kick_from_all_seats(struct order *order)
{
    struct table *table = NULL;
    INDEX_EACH(&tables_of(order->house)->by_id, table)
    {
        take_seat_away(order, table, find_seat_of_target(table, &order->target));
        take_seats_of_suspended(order, table);
    }
}

void mod_run_warn(struct order *order)
{
    order->duration_ms = order->target.kind == TARGET_GUEST ? WARN_GUEST_MS : 0;
    (void)sanction_impose(order, STORAGE_SANCTION_WARN, 0);
    order_add_line(order, _("%s is warned: %s"), order->target.name, order->reason);
}

static uint32_t parse_mute_scopes(struct order *order)
{
    static const char *const names[] = {"lobby", "table", "pm"};
    const char *scope = order_option_value(order, "scope");
    (void)snprintf(order->scope, sizeof(order->scope), "%.30s", scope == NULL ? "all" : scope);
    if (strcmp(order->scope, "all") == 0) {
        return SANCTION_SCOPES_ALL;
    }
    for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
        if (strcmp(order->scope, names[i]) == 0) {
            return 1U << i;
        }
    }
    order_refuse(order, "bad", _("There is no scope %s: lobby, table, pm or all."), order->scope);
    return 0;
}

void mod_run_impose_sanction(struct order *order)
{
    const struct mod_command *command = order->command;
    uint32_t scopes = command->kind == STORAGE_SANCTION_MUTE ? parse_mute_scopes(order) : 0;
    if (order->code != NULL ||
        (command->kind == STORAGE_SANCTION_SUSPEND && !mod_ban_confirm_affected(order))) {
        return;
    }
    order_add_sentence(order, json_pack("[s,s,o,s]", command->said, order->target.name,
                                        say_duration_argument(order->duration_ms), order->reason));
    (void)sanction_impose(order, command->kind, scopes);
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
    struct conn *conn = NULL;
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
    CONN_LINKS_EACH(conn, &order->target.person->conns)
    {
        conn_dismiss(order->house, conn,
                     say(_("%p has sent you out: %s · You may come back. To complain then, write "
                           "/report %s other and why."),
                         order_requester_sentence_argument(order), order->reason,
                         order_requester_name(order)));
    }
    order_add_line(order, _("%s is sent out: %s"), order->target.name, order->reason);
}

void mod_run_kick(struct order *order)
{
    int seat = find_kickable_seat(order);
    bool is_hosts = seat >= 0 && (order->reason[0] == '\0' || order->rank < RANK_MOD);
    if (is_hosts) {
        order->table_id = conn_table(order->conn)->row.id;
        table_kick_from_seat(order->house, conn_table(order->conn), seat,
                             order_requester_name(order));
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
    struct house *house = order->house;
    struct sanction_list warnings = {.kinds = 1U << STORAGE_SANCTION_WARN};
    sanctions_for_each(house, order->conn->person, sanction_list_add, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        sanction_end_and_notify(house, &warnings.rows[i], order_requester_name(order), NULL);
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
        order_add_line(order, "%s", sanction_appeal_hint());
    }
}
