#include "lobby/sanctions/sanctions.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/play/play.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"

#include <stdio.h>
#include <string.h>

/* Commands with which hosts and staff control tables. */

/* Finds the table that the requester has entered. Refuses the order and returns NULL when the
 * requester is not its host. */
static struct table *find_hosted_table(struct order *order)
{
    struct table *table = conn_table(order->conn);
    if (table == NULL || strcmp(table->row.host_name, order_requester_name(order)) != 0) {
        order_refuse(order, "not_host",
                     _("Only the host of a table can do that: open your own table."));
        return NULL;
    }
    order->table_id = table->row.id;
    return table;
}

/* Refuses the order when the target cannot be invited to the table. */
static void refuse_impossible_invitation(struct order *order, const struct table *table)
{
    const struct person *person = order->target.person;
    struct clock_rule rule = table_clock_rule(table);
    if (person == NULL) {
        order_refuse(order, "absent", _("%s is not in the house."), order->target.name);
    } else if (person == order->conn->person) {
        order_refuse(order, "self", _("You cannot name yourself here."));
    } else if (table_seat_of(table, person) >= 0) {
        order_refuse(order, "seated", _("%s has a seat here already."), person->name);
    } else if (table_is_playing(table)) {
        order_refuse(order, "started",
                     _("A game is on: invite people once it is over, or to another table."));
    } else if (table_first_free_seat(table) < 0) {
        order_refuse(order, "full",
                     _("Every seat is taken: free one first, by /nobot 2 or /kick."));
    } else if (person->kind == PERSON_GUEST && !clock_rule_is_for_one_sitting(&rule)) {
        order_refuse(order, "guest",
                     _("This game is played over days, and a guest cannot come back."));
    } else if (person->presence == PRESENCE_DND) {
        order_refuse(order, "dnd", _("%s does not want to be disturbed: ask later."), person->name);
    }
}

void mod_run_invite(struct order *order)
{
    struct table *table = find_hosted_table(order);
    if (table == NULL || !voice_allows_order(order, MUTE_TELL)) {
        return;
    }
    refuse_impossible_invitation(order, table);
    if (order->code == NULL) {
        invites_create(order->house, table, order->conn->person, order->target.person);
        order_add_line(order, _("%s is invited, for five minutes."), order->target.name);
    }
}

void mod_run_host(struct order *order)
{
    struct table *table = find_hosted_table(order);
    const struct person *person = order->target.person;
    if (table == NULL) {
        return;
    }
    if (person == NULL || table_seat_of(table, person) < 0) {
        order_refuse(order, "not_seated", _("%s has no seat here."), order->target.name);
        return;
    }
    table_set_host(order->house, table, person->account, person->name);
    table_save(order->house, table);
    table_mark_changed(order->house, table);
    json_t *told = say(_("%s is the host now."), person->name);
    chat_announce_at_table(order->house, table, json_incref(told));
    order_add_sentence(order, told);
}

void mod_run_observe(struct order *order)
{
    struct table *table = order->target.table;
    struct conn *conn = order->conn;
    if (conn->person == NULL) {
        order_refuse(order, "bad", _("A program cannot watch a table: sign in yourself."));
    } else if (table_seat_of(table, conn->person) >= 0) {
        order_refuse(order, "seated", _("You have a seat there."));
    } else if (order_require_confirmation(order, say(_("You will watch %s unseen; its people are "
                                                       "told once you leave. Are you sure?"),
                                                     order->target.name))) {
        observing_start(order->house, conn, table, order->reason);
        order_add_line(order, _("You watch %s unseen."), order->target.name);
    }
}

static void end_game_unrated(struct order *order)
{
    struct table *table = order->target.table;
    if (!order_require_confirmation(
            order, say(_("The game at %s ends unrated, and the table closes. Are you sure?"),
                       order->target.name))) {
        return;
    }
    json_t *told = say(_("%p is ended by %p and not rated: %s"), table_title(table),
                       order_requester_sentence_argument(order), order->reason);
    table_notify_people(order->house, table, json_incref(told));
    chat_announce_at_table(order->house, table, json_incref(told));
    table_close(order->house, table);
    order->target.table = NULL;
    order_add_sentence(order, told);
}

/* Finds the seat of the person with that name. Refuses the order and returns -1 when there is
 * none. */
static int find_seat_by_name(struct order *order, const char *name)
{
    const struct table *table = order->target.table;
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        bool is_person =
            holder->holder == STORAGE_SEAT_PLAYER || holder->holder == STORAGE_SEAT_GUEST;
        if (is_person && strcmp(holder->name, name) == 0) {
            return seat;
        }
    }
    order_refuse(order, "unknown", _("%s does not play there."), name);
    return -1;
}

/* Refuses the order and returns false when the requester is in the game, since nobody decides on
 * their own game. */
static bool requester_does_not_play(struct order *order)
{
    const struct table *table = order->target.table;
    const int64_t own = order_requester_account(order);
    for (int seat = 0; own != 0 && seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == own || table->plays[seat].starter.account == own) {
            order_refuse(order, "self", _("You play in that game: leave this to others."));
        }
    }
    return order->code == NULL;
}

/* Ranks the people on these seats (one bit for each seat) below all who finish. Bots play on for
 * them, so that the result still follows from the moves and gives everybody else their scores. */
static void make_seats_lose(struct order *order, unsigned seats)
{
    struct table *table = order->target.table;
    char names[WORDS_MAX / 2];
    struct text text = text_init(names, sizeof(names));
    for (int seat = 0; seat < table->row.players; seat++) {
        if ((seats >> seat & 1U) != 0) {
            text_put(&text, text.len == 0 ? "" : ", ");
            text_put(&text, table->row.seats[seat].name);
        }
    }
    json_t *told = say(_("%p has decided that %s lose this game: %s"),
                       order_requester_sentence_argument(order), names, order->reason);
    table_notify_people(order->house, table, json_incref(told));
    chat_announce_at_table(order->house, table, json_incref(told));
    for (int seat = 0; seat < table->row.players; seat++) {
        if ((seats >> seat & 1U) != 0) {
            table_game_leave_for_good(order->house, table, seat);
        }
    }
    order->after = json_pack("{s:s}", "lost", names);
    order_add_sentence(order, told);
}

/* Makes the listed people lose: "eve" or "eve,bob". */
static void adjudicate_forfeits(struct order *order, const char *losers)
{
    char names[STORAGE_FINGERPRINT_SIZE];
    char *rest = NULL;
    unsigned seats = 0;
    (void)snprintf(names, sizeof(names), "%s", losers);
    for (const char *name = strtok_r(names, ",", &rest); name != NULL && order->code == NULL;
         name = strtok_r(NULL, ",", &rest)) {
        int seat = find_seat_by_name(order, name);
        seats |= seat < 0 ? 0U : 1U << seat;
    }
    if (seats == 0) {
        order_refuse(order, "bad", _("Say who loses: forfeit=eve, or forfeit=eve,bob."));
    }
    if (order->code == NULL &&
        order_require_confirmation(
            order, say(_("%s loses the game at %s. Are you sure?"), losers, order->target.name))) {
        make_seats_lose(order, seats);
    }
}

/* Makes everybody but this person lose. */
static void adjudicate_winner(struct order *order, const char *name)
{
    const struct table *table = order->target.table;
    int winner = name[0] == '\0' ? -1 : find_seat_by_name(order, name);
    unsigned seats = 0;
    for (int seat = 0; winner >= 0 && seat < table->row.players; seat++) {
        enum storage_holder holder = table->row.seats[seat].holder;
        bool is_person = holder == STORAGE_SEAT_PLAYER || holder == STORAGE_SEAT_GUEST;
        seats |= is_person && seat != winner ? 1U << seat : 0U;
    }
    if (name[0] == '\0') {
        order_refuse(order, "bad", _("Say who wins: win=eve."));
    }
    if (winner >= 0 && seats == 0) {
        order_refuse(order, "bad", _("Apart from bots, nobody but %s plays there."), name);
    }
    if (order->code == NULL &&
        order_require_confirmation(order,
                                   say(_("All people at %s but %s lose the game. Are you sure?"),
                                       order->target.name, name))) {
        make_seats_lose(order, seats);
    }
}

void mod_run_adjudicate(struct order *order)
{
    struct table *table = order->target.table;
    order->game_id = table->row.game_id;
    name_to_lower(order->word);
    if (!table_is_playing(table)) {
        order_refuse(order, "no_game", _("No game is running there."));
    } else if (!requester_does_not_play(order)) {
        return;
    } else if (strcmp(order->word, "void") == 0) {
        end_game_unrated(order);
    } else if (strncmp(order->word, "forfeit=", 8) == 0) {
        adjudicate_forfeits(order, order->word + 8);
    } else if (strncmp(order->word, "win=", 4) == 0) {
        adjudicate_winner(order, order->word + 4);
    } else {
        order_refuse(order, "bad",
                     _("Type void, forfeit=NAME of a loser, or win=NAME of the winner."));
    }
}
