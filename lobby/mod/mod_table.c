#include "lobby/mod/mod_line.h"

#include "lobby/chat/chat.h"
#include "lobby/house/conns.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/persons/persons_state.h"
#include "lobby/play/observing.h"
#include "lobby/play/table_close.h"
#include "lobby/play/table_finish.h"
#include "lobby/play/table_game.h"
#include "lobby/play/table_people.h"
#include "lobby/sanctions/blocks.h"
#include "lobby/sanctions/voice.h"
#include "lobby/tables/invites.h"
#include "lobby/tables/table_host.h"
#include "lobby/tables/tables.h"

#include <stdio.h>
#include <string.h>

/* What hosts and staff do with tables. */

/* The table at which the order was typed. Refuses the order and returns NULL if the person who
 * typed it is not the host there. */
static struct table *hosted_table(struct order *order)
{
    struct table *table = conn_table(order->conn);
    if (table == NULL || strcmp(table->row.host_name, order_actor(order)) != 0) {
        order_no(order, "not_host", "%s",
                 _("Only the host of a table does that, there: open your own."));
        return NULL;
    }
    order->table_id = table->row.id;
    return table;
}

/* What prevents the target from being invited to the table, if anything. */
static void invite_look(struct order *order, const struct table *table)
{
    const struct person *person = order->target.person;
    struct clock_rule rule = table_rule(table);
    if (person == NULL) {
        order_no(order, "absent", _("%s is not in the house."), order->target.name);
    } else if (person == order->conn->person) {
        order_no(order, "self", "%s", _("That is you."));
    } else if (table_seat_of(table, person) >= 0) {
        order_no(order, "seated", _("%s has a seat here already."), person->name);
    } else if (table_is_playing(table)) {
        order_no(order, "started", "%s",
                 _("A game is on: invite people once it is over, or to another table."));
    } else if (table_free_seat(table) < 0) {
        order_no(order, "full", "%s",
                 _("Every seat is taken: free one first, by /nobot 2 or /kick."));
    } else if (person->kind == PERSON_GUEST && !clock_rule_is_live(&rule)) {
        order_no(order, "guest", "%s",
                 _("This game is played over days, and a guest cannot come back."));
    } else if (person->presence == PRESENCE_DND) {
        order_no(order, "dnd", _("%s does not want to be disturbed: ask later."), person->name);
    }
}

static void invite_run(struct order *order)
{
    struct table *table = hosted_table(order);
    if (table == NULL || !voice_admits_order(order, MUTE_TELL)) {
        return;
    }
    invite_look(order, table);
    if (order->code == NULL) {
        invites_make(order->house, table, order->conn->person, order->target.person);
        order_say(order, _("%s is invited, for five minutes."), order->target.name);
    }
}

const struct mod_command mod_command_invite = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .run = invite_run,
};

static void host_run(struct order *order)
{
    struct table *table = hosted_table(order);
    const struct person *person = order->target.person;
    if (table == NULL) {
        return;
    }
    if (person == NULL || table_seat_of(table, person) < 0) {
        order_no(order, "not_seated", _("%s has no seat here."), order->target.name);
        return;
    }
    table_set_host(order->house, table, person->account, person->name);
    table_save(order->house, table);
    table_changed(order->house, table);
    json_t *told = say(_("%s is the host now."), person->name);
    chat_house_table(order->house, table, json_incref(told));
    order_say_said(order, told);
}

const struct mod_command mod_command_host = {
    .parts = {PART_TARGET},
    .targets = TARGET_ANYBODY,
    .run = host_run,
};

static void observe_run(struct order *order)
{
    struct table *table = order->target.table;
    struct conn *conn = order->conn;
    if (conn->person == NULL) {
        order_no(order, "bad", "%s", _("A program watches nothing: come in as yourself."));
    } else if (table_seat_of(table, conn->person) >= 0) {
        order_no(order, "seated", "%s", _("You have a seat there."));
    } else if (order_confirmed(order,
                               _("You will watch %s unseen; its people are told once you leave. "
                                 "Is it meant?"),
                               order->target.name)) {
        observing_begin(order->house, conn, table, order->reason);
        order_say(order, _("You watch %s unseen."), order->target.name);
    }
}

const struct mod_command mod_command_observe = {
    .parts = {PART_TARGET, PART_REASON},
    .targets = TARGET_TABLE,
    .run = observe_run,
};

static void adjudicate_void(struct order *order)
{
    struct table *table = order->target.table;
    if (!order_confirmed(order,
                         _("The game at %s ends, not rated, and the table closes. Is it "
                           "meant?"),
                         order->target.name)) {
        return;
    }
    json_t *told = say(_("%p is ended by %p and not rated: %s"), table_title(table),
                       order_by(order), order->reason);
    table_tell_people(order->house, table, json_incref(told));
    chat_house_table(order->house, table, json_incref(told));
    table_game_cut(order->house, table);
    table_close(order->house, table);
    order->target.table = NULL;
    order_say_said(order, told);
}

/* The seat of the person of that name at the table; -1, with the order refused, when there is
 * none. */
static int adjudicate_seat(struct order *order, const char *name)
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
    order_no(order, "unknown", _("%s does not play there."), name);
    return -1;
}

/* Nobody decides on their own game; the owner has no account. */
static bool adjudicate_is_of_others(struct order *order)
{
    const struct table *table = order->target.table;
    const int64_t own = order_actor_account(order);
    for (int seat = 0; own != 0 && seat < table->row.players; seat++) {
        if (table->row.seats[seat].account == own || table->plays[seat].starter.account == own) {
            order_no(order, "self", "%s", _("You play there yourself: leave that to others."));
        }
    }
    return order->code == NULL;
}

/* The persons on these seats (as bits) rank below all who finish. Bots play on for them, so that
 * the game's end still follows from its moves and gives everybody else their scores. */
static void adjudicate_lose(struct order *order, unsigned seats)
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
    json_t *told = say(_("%p has %s lose this game: %s"), order_by(order), names, order->reason);
    table_tell_people(order->house, table, json_incref(told));
    chat_house_table(order->house, table, json_incref(told));
    for (int seat = 0; seat < table->row.players; seat++) {
        if ((seats >> seat & 1U) != 0) {
            table_leave_for_good(order->house, table, seat);
        }
    }
    order->after = json_pack("{s:s}", "lost", names);
    order_say_said(order, told);
}

/* "eve" or "eve,bob". */
static void adjudicate_forfeit(struct order *order, const char *list)
{
    char names[STORAGE_FINGERPRINT_SIZE];
    char *rest = NULL;
    unsigned seats = 0;
    (void)snprintf(names, sizeof(names), "%s", list);
    for (const char *name = strtok_r(names, ",", &rest); name != NULL && order->code == NULL;
         name = strtok_r(NULL, ",", &rest)) {
        int seat = adjudicate_seat(order, name);
        seats |= seat < 0 ? 0U : 1U << seat;
    }
    if (seats == 0) {
        order_no(order, "bad", "%s", _("Say who: forfeit=eve, or forfeit=eve,bob."));
    }
    if (order->code == NULL) {
        adjudicate_lose(order, seats);
    }
}

/* Makes all other persons lose. */
static void adjudicate_win(struct order *order, const char *name)
{
    const struct table *table = order->target.table;
    int winner = adjudicate_seat(order, name);
    unsigned seats = 0;
    for (int seat = 0; winner >= 0 && seat < table->row.players; seat++) {
        enum storage_holder holder = table->row.seats[seat].holder;
        bool is_person = holder == STORAGE_SEAT_PLAYER || holder == STORAGE_SEAT_GUEST;
        seats |= is_person && seat != winner ? 1U << seat : 0U;
    }
    if (winner >= 0 && seats == 0) {
        order_no(order, "bad", _("Nobody but %s plays there, bots aside."), name);
    }
    if (order->code == NULL &&
        order_confirmed(order, _("All people at %s but %s lose the game. Is it meant?"),
                        order->target.name, name)) {
        adjudicate_lose(order, seats);
    }
}

static void adjudicate_run(struct order *order)
{
    struct table *table = order->target.table;
    order->game_id = table->row.game_id;
    if (!table_is_playing(table)) {
        order_no(order, "no_game", "%s", _("No game is on there."));
    } else if (!adjudicate_is_of_others(order)) {
        return;
    } else if (strcmp(order->word, "void") == 0) {
        adjudicate_void(order);
    } else if (strncmp(order->word, "forfeit=", 8) == 0) {
        adjudicate_forfeit(order, order->word + 8);
    } else if (strncmp(order->word, "win=", 4) == 0) {
        adjudicate_win(order, order->word + 4);
    } else {
        order_no(order, "bad", "%s",
                 _("A result is void, forfeit= and who loses, or win= and who does not."));
    }
}

const struct mod_command mod_command_adjudicate = {
    .parts = {PART_TARGET, PART_WORD, PART_REASON},
    .targets = TARGET_TABLE,
    .run = adjudicate_run,
};
