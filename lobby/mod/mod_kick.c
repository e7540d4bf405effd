#include "lobby/mod/mod_line.h"

#include "lobby/house/conns.h"
#include "lobby/house/say.h"
#include "lobby/mod/mod_ban.h"
#include "lobby/mod/mod_kick.h"
#include "lobby/persons/persons_state.h"
#include "lobby/play/table_game.h"
#include "lobby/play/table_people.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/sanctions/sanctions_state.h"
#include "lobby/seats/table_seats.h"
#include "lobby/tables/tables.h"

#include <string.h>

/* Removing people: from a seat by the host, before the game starts; from the house by staff. */

#define KICK_GUEST_MS INT64_C(600000) /* how long guests from the same source are banned */

/* The target's seat at the table, whether they are in the house or not; -1: none. */
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

/* The target's seat at the requester's own table before a game; -1: none, or the requester is not
 * the host. */
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

/* Takes the seats at this table of all suspended people in the house, whatever name they use. */
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

void mod_kick_from_all_seats(struct order *order)
{
    struct table *table = NULL;
    INDEX_EACH(&tables_of(order->house)->by_id, table)
    {
        take_seat_away(order, table, find_seat_of_target(table, &order->target));
        take_seats_of_suspended(order, table);
    }
}

static void kick_from_house(struct order *order)
{
    struct conn *conn = NULL;
    if (order->reason[0] == '\0') {
        order_refuse(
            order, "reason", "%s",
            _("Say why: the reason is shown to whom it concerns. Without one only the host "
              "of a table frees its seats, before the start."));
        return;
    }
    if (order->target.person == NULL) {
        order_refuse(order, "absent", _("%s is not in the house."), order->target.name);
        return;
    }
    /* otherwise the guest would return at once under another name */
    if (order->target.kind == TARGET_GUEST) {
        order->duration_ms = KICK_GUEST_MS;
        mod_ban_target(order);
        return;
    }
    CONN_LINKS_EACH(conn, &order->target.person->conns)
    {
        conn_dismiss(
            order->house, conn,
            say(_("%p has sent you out: %s · You may come back. To complain, write /report %s "
                  "other and why once you have."),
                order_requester_word(order), order->reason, order_requester_name(order)));
    }
    order_add_line(order, _("%s is sent out: %s"), order->target.name, order->reason);
}

static void run_kick_command(struct order *order)
{
    int seat = find_kickable_seat(order);
    bool is_hosts = seat >= 0 && (order->reason[0] == '\0' || order->rank < RANK_MOD);
    if (is_hosts) {
        order->table_id = conn_table(order->conn)->row.id;
        table_kick_from_seat(order->house, conn_table(order->conn), seat,
                             order_requester_name(order));
        order_add_line(order, _("%s has no seat here any more."), order->target.name);
    } else if (order->rank < RANK_MOD) {
        order_refuse(order, "not_host", "%s",
                     _("Only the host frees a seat of their table, before the start: ask them."));
    } else if (mod_require_rank(order, RANK_MOD) && mod_may_act_on_target(order)) {
        kick_from_house(order);
    }
}

const struct mod_command mod_command_kick = {
    .parts = {PART_TARGET, PART_REASON_MAYBE},
    .targets = TARGET_ANYBODY,
    .run = run_kick_command,
};
