#include "lobby/play/play.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"

#include <stdio.h>
#include <string.h>

#define HALT_WHY_COLUMNS 80

static void forget_halt_requests(struct table *table)
{
    memset(table->row.asks, 0, sizeof(table->row.asks));
}

static void forget_adjournment_requester(struct table *table)
{
    table->row.halt_by[0] = '\0';
    table->row.halt_why[0] = '\0';
}

static void halt_game(struct table *table, enum storage_halt halt, int64_t since_ms)
{
    if (table->row.halt == STORAGE_HALT_ROUND) {
        table->row.resume_due_ms = 0; /* the deadline of the stop between two rounds */
        table->is_unsettled = false;
    }
    table->row.halt = halt;
    table->claim.count = 0;
    table_clock_stop_all(&table->clock, since_ms);
    table->row.halt_ms = table->clock.stopped_ms; /* a pause may have become an adjournment; the
                                                     clocks have stood since the pause began */
}

/* Ends the halt and forgets all requests. Requests for a pause are kept if nobody asked for this
 * halt: it came from the house's downtime, or from the end of a round. */
static void end_halt(struct house *house, struct table *table)
{
    if (table->row.halt != STORAGE_HALT_HOUSE && table->row.halt != STORAGE_HALT_ROUND) {
        forget_halt_requests(table);
    }
    table->row.asks[STORAGE_ASK_RESUME] = 0;
    table->row.halt = STORAGE_HALT_NONE;
    table->row.halt_ms = 0;
    if (table->row.asks[STORAGE_ASK_ADJOURN] == 0) {
        forget_adjournment_requester(table);
    }
    table->row.resume_asked = 0;
    table->row.resume_due_ms = 0;
    table->row.awaited = 0;
    table->is_unsettled = false;
    table_clock_resume_all(&table->clock, house->now_ms);
    for (int seat = 0; seat < table->row.players; seat++) {
        /* From now on, count anew how long each player has been away, and the delay before a bot's
         * move. */
        if (table->gone_ms[seat] != 0) {
            table->gone_ms[seat] = house->now_ms;
        }
    }
    table->moved_ms = house->now_ms;
}

/* Which players must agree to a request: all who can still come back, or only those at the
 * table. */
enum people_asked {
    PEOPLE_WHO_MAY_COME,
    PEOPLE_WHO_ARE_HERE,
};

static uint8_t seats_of_people_to_ask(const struct house *house, const struct table *table,
                                      enum people_asked who)
{
    uint8_t seats = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        enum storage_holder holder = table->row.seats[seat].holder;
        const struct person *person = table_connected_holder(house, table, seat);
        bool is_here = person != NULL && table_is_entered_by(table, person);
        /* absent guests cannot return */
        bool may_come = holder == STORAGE_SEAT_PLAYER || person != NULL;
        if (who == PEOPLE_WHO_MAY_COME ? may_come : is_here) {
            seats = (uint8_t)(seats | 1U << seat);
        }
    }
    return seats;
}

/* True if it is the turn of a player who is here, or will be after the stop between two rounds: a
 * pause would stop that player's clock. */
static bool pause_would_stop_a_clock(const struct house *house, const struct table *table)
{
    uint8_t here = seats_of_people_to_ask(house, table, PEOPLE_WHO_ARE_HERE);
    for (int seat = 0; seat < table->row.players; seat++) {
        if ((here & table_seats_on_turn(table)) >> seat & 1 && !table->row.seats[seat].is_absent) {
            return true;
        }
    }
    return false;
}

/* Returns the seats whose players must agree to this request. In a rated game everybody with a seat
 * must agree, present or not, to an adjournment, and to a pause that stops the clock of a present
 * player. To resume a rated game, the players whom the house's downtime disconnected must agree
 * too. */
static uint8_t seats_that_must_agree(const struct house *house, const struct table *table,
                                     enum storage_ask ask)
{
    enum people_asked who = PEOPLE_WHO_ARE_HERE;
    if (ask == STORAGE_ASK_RESUME) {
        who = table->row.halt == STORAGE_HALT_ADJOURN ? PEOPLE_WHO_MAY_COME : PEOPLE_WHO_ARE_HERE;
    } else if (table->is_rated) {
        bool takes_all = ask == STORAGE_ASK_ADJOURN || pause_would_stop_a_clock(house, table);
        who = takes_all ? PEOPLE_WHO_MAY_COME : PEOPLE_WHO_ARE_HERE;
    }
    uint8_t awaited = ask == STORAGE_ASK_RESUME && table->is_rated ? table->row.awaited : 0;
    return (uint8_t)(seats_of_people_to_ask(house, table, who) | awaited);
}

/* Makes the sentence that says who asks for what, and how many of the players who must agree have
 * agreed. */
static json_t *make_request_sentence(const struct house *house, const struct table *table,
                                     enum storage_ask ask, int seat)
{
    const struct storage_table *row = &table->row;
    const char *name = table->row.seats[seat].name;
    uint8_t needed = seats_that_must_agree(house, table, ask);
    int all = __builtin_popcount(needed);
    int asked = __builtin_popcount(table->row.asks[ask] & needed);
    bool is_away = (needed & ~seats_of_people_to_ask(house, table, PEOPLE_WHO_ARE_HERE)) != 0;
    if (ask == STORAGE_ASK_PAUSE) {
        return say(is_away ? _("%s asks for a pause (%d of %d): /pause agrees. Players who are "
                               "away are asked when they come.")
                           : _("%s asks for a pause (%d of %d): /pause agrees."),
                   name, asked, all);
    }
    if (ask == STORAGE_ASK_RESUME && row->halt == STORAGE_HALT_HOUSE) {
        return say(_("%s is ready to play on, and waits for those who are not back."), name);
    }
    if (ask == STORAGE_ASK_RESUME) {
        return say(_("%s is ready to play on (%d of %d): /resume agrees."), name, asked, all);
    }
    if (row->halt_why[0] != '\0' && strcmp(row->halt_by, name) == 0) {
        return say(_("%s asks to adjourn the game (%s; %d of %d): /adjourn agrees."), name,
                   row->halt_why, asked, all);
    }
    return say(_("%s asks to adjourn the game (%d of %d): /adjourn agrees."), name, asked, all);
}

static const char *make_granted_request_sentence(const struct table *table, enum storage_ask ask)
{
    switch (ask) {
    case STORAGE_ASK_PAUSE:
        return _("The game is paused; no clock runs. Anybody's /resume ends it.");
    case STORAGE_ASK_ADJOURN:
        return table->is_rated
                   ? _("The game is adjourned and stays among your tables. It goes on once all "
                       "have said /resume, or 7 days after the first /resume. Whoever has not said "
                       "/resume by then has left the game for good.")
                   : _("The game is adjourned and stays among your tables. It goes on once all "
                       "have said /resume.");
    case STORAGE_ASK_RESUME:
    case STORAGE_ASKS:
        break;
    }
    return table->row.awaited != 0 ? _("The game goes on without those who have not come back.")
                                   : _("The game goes on.");
}

static void grant_request(struct house *house, struct table *table, enum storage_ask ask)
{
    chat_announce_at_table(house, table, say("%s", make_granted_request_sentence(table, ask)));
    forget_halt_requests(table);
    if (ask == STORAGE_ASK_RESUME) {
        end_halt(house, table);
    } else {
        halt_game(table, ask == STORAGE_ASK_PAUSE ? STORAGE_HALT_PAUSE : STORAGE_HALT_ADJOURN,
                  house->now_ms);
    }
}

/* Notes who asked first for an adjournment, and why, to tell players who come later. */
static void store_adjournment_requester(struct table *table, int seat, const char *why)
{
    struct storage_table *row = &table->row;
    if (row->halt_by[0] == '\0') {
        (void)snprintf(row->halt_by, sizeof(row->halt_by), "%s", row->seats[seat].name);
        (void)snprintf(row->halt_why, sizeof(row->halt_why), "%s", why);
    }
}

/* True if a rated game was paused and the house's downtime then disconnected players. In that case
 * no player can end the pause alone. */
static bool pause_awaits_disconnected_players(const struct table *table)
{
    return table->row.halt == STORAGE_HALT_PAUSE && table->is_rated && table->row.awaited != 0;
}

/* Records that a player makes this request or agrees to it. Grants the request once all players who
 * must agree have done so. */
static void note_request_or_agreement(struct house *house, struct table *table,
                                      enum storage_ask ask, int seat)
{
    if (ask == STORAGE_ASK_RESUME && pause_awaits_disconnected_players(table)) {
        table->row.halt = STORAGE_HALT_HOUSE;
    }
    bool is_one_enough = ask == STORAGE_ASK_RESUME && table->row.halt == STORAGE_HALT_PAUSE;
    bool is_new = (table->row.asks[ask] >> seat & 1) == 0;
    table->row.asks[ask] = (uint8_t)(table->row.asks[ask] | 1U << seat);
    if (ask == STORAGE_ASK_RESUME) {
        resume_deadlines_note_request(house, table, seat);
    }
    uint8_t needed = seats_that_must_agree(house, table, ask);
    if (is_one_enough || (needed & ~table->row.asks[ask]) == 0) {
        grant_request(house, table, ask);
        return;
    }
    if (is_new) {
        chat_announce_at_table(house, table, make_request_sentence(house, table, ask, seat));
    }
}

/* Finds the requester's seat in the running game at the table. */
bool need_game(struct request *request)
{
    request->seat = table_seat_of(request->table, request->conn->person);
    if (request->seat >= 0 && table_is_playing(request->table)) {
        return true;
    }
    return answer_no(request, "no_game",
                     _("You are not in a game here: this is for those who play."));
}

/* Reads the reason that the player gives, "" if none. If the reason is not acceptable, refuses the
 * request and returns false. */
static bool read_halt_reason(const struct request *request, char why[STORAGE_HALT_WHY_SIZE])
{
    struct storage_chat line = {.channel = STORAGE_CHAT_TABLE};
    why[0] = '\0';
    if (json_read_key_is_absent(request->body, "text")) {
        return true;
    }
    if (!chat_read_line(request, &line)) {
        return false;
    }
    if (strlen(line.text) >= STORAGE_HALT_WHY_SIZE ||
        text_clean_count_columns(line.text) > HALT_WHY_COLUMNS) {
        return answer_no(request, "too_long",
                         _("That is longer than 80 columns: say why in fewer words."));
    }
    memcpy(why, line.text, strlen(line.text) + 1);
    return true;
}

static void handle_halt_request(const struct request *request, enum storage_ask ask)
{
    struct table *table = request->table;
    int seat = request->seat;
    char why[STORAGE_HALT_WHY_SIZE];
    if (!read_halt_reason(request, why)) {
        return;
    }
    bool is_more = table->row.halt == STORAGE_HALT_ROUND ||
                   (table->row.halt == STORAGE_HALT_PAUSE && ask == STORAGE_ASK_ADJOURN);
    if (!clock_rule_is_for_one_sitting(&table->clock.rule)) {
        answer_no(request, "days",
                  _("This game is played turn by turn, nobody has to sit here: if you need more "
                    "days, take a vacation (/vacation 3)."));
    } else if (table->row.halt != STORAGE_HALT_NONE && !is_more) {
        answer_ok(request, NULL);
    } else if ((table->row.asks[ask] >> seat & 1) != 0 || request_is_within_rate_limit(request)) {
        if (ask == STORAGE_ASK_ADJOURN) {
            store_adjournment_requester(table, seat, why);
        }
        note_request_or_agreement(request->house, table, ask, seat);
        answer_ok(request, NULL);
    }
}

void message_pause(const struct request *request)
{
    handle_halt_request(request, STORAGE_ASK_PAUSE);
}

void message_adjourn(const struct request *request)
{
    handle_halt_request(request, STORAGE_ASK_ADJOURN);
}

void message_resume(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    if (table->row.halt == STORAGE_HALT_ROUND) {
        round_stop_note_press(house, table, request->seat);
    } else if (json_read_bool(request->body, "stop", false)) {
        /* the key that was to end the stop between two rounds came after its end */
    } else if (table->row.halt != STORAGE_HALT_NONE) {
        note_request_or_agreement(house, table, STORAGE_ASK_RESUME, request->seat);
    } else {
        forget_halt_requests(table); /* the player refuses a pause that others asked for */
        forget_adjournment_requester(table);
    }
    answer_ok(request, NULL);
}

void table_halt_end(struct house *house, struct table *table)
{
    if (table->row.halt != STORAGE_HALT_NONE) {
        chat_announce_at_table(house, table, say(_("The game goes on.")));
        end_halt(house, table);
    }
}

void table_halt_begin_round_stop(struct house *house, struct table *table, int64_t due_ms)
{
    table->row.asks[STORAGE_ASK_RESUME] = 0;
    table->row.resume_due_ms = due_ms;
    halt_game(table, STORAGE_HALT_ROUND, house->now_ms);
}

void table_halt_end_round_stop(struct house *house, struct table *table)
{
    if (table->row.awaited == 0) {
        end_halt(house, table);
    } else {
        table->row.asks[STORAGE_ASK_RESUME] = 0;
        halt_game(table, STORAGE_HALT_HOUSE, house->now_ms);
    }
}

void table_halt_wait_for_players(struct house *house, struct table *table, uint8_t awaited)
{
    table->row.awaited = awaited;
    table_touch(house, table);
    halt_game(table, STORAGE_HALT_HOUSE, house->alive_ms != 0 ? house->alive_ms : house->now_ms);
}

void table_halt_note_player_returned(struct house *house, struct table *table, int seat)
{
    if ((table->row.awaited >> seat & 1) == 0) {
        return;
    }
    table->row.awaited = (uint8_t)(table->row.awaited & ~(1U << seat));
    if (table->row.awaited == 0 && table->row.halt == STORAGE_HALT_HOUSE) {
        end_halt(house, table);
    }
}

/* Withdraws the seat's request, if it has made one. */
static void withdraw_request(struct table *table, int seat, enum storage_ask ask)
{
    table->row.asks[ask] = (uint8_t)(table->row.asks[ask] & ~(1U << seat));
    if (ask == STORAGE_ASK_ADJOURN && table->row.halt != STORAGE_HALT_ADJOURN &&
        strcmp(table->row.halt_by, table->row.seats[seat].name) == 0) {
        forget_adjournment_requester(table);
    }
}

static void withdraw_all_requests(struct table *table, int seat)
{
    for (int ask = 0; ask < STORAGE_ASKS; ask++) {
        withdraw_request(table, seat, (enum storage_ask)ask);
    }
}

/* Withdraws requests to resume made by players who have left since, while no core was running.
 * Keeps these players' requests for a pause or an adjournment. */
static void withdraw_resume_requests_of_absent_players(struct house *house, struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table_connected_holder(house, table, seat) == NULL) {
            withdraw_request(table, seat, STORAGE_ASK_RESUME);
        }
    }
}

static void stop_waiting_for_lost_players(struct house *house, struct table *table,
                                          bool conns_survived)
{
    withdraw_resume_requests_of_absent_players(house, table);
    for (int seat = 0; seat < table->row.players; seat++) {
        bool is_guest = table->row.seats[seat].holder == STORAGE_SEAT_GUEST;
        bool was_gone = conns_survived && (table->gone_before >> seat & 1) != 0;
        if ((is_guest || was_gone) && table_connected_holder(house, table, seat) == NULL) {
            table_halt_note_player_returned(house, table, seat);
        }
    }
    table->gone_before = 0;
    table->is_unsettled = false;
}

void table_halts_stop_waiting_for_lost_players(struct house *house, bool conns_survived)
{
    TABLES_EACH(table, house) {
        stop_waiting_for_lost_players(house, table, conns_survived);
    }
    tables_touch_changed(house);
}

/* True if a game that waits for disconnected players must now wait for this player too, who has
 * left it again. Only a rated game does so. */
static bool game_waits_for_player_again(const struct table *table, int seat)
{
    return table_is_playing(table) && table->row.halt == STORAGE_HALT_HOUSE && table->is_rated &&
           table->row.seats[seat].holder == STORAGE_SEAT_PLAYER;
}

void table_halt_note_player_gone(struct house *house, struct table *table, int seat)
{
    enum storage_holder holder = table->row.seats[seat].holder;
    withdraw_all_requests(table, seat);
    if (game_waits_for_player_again(table, seat)) {
        table->row.awaited = (uint8_t)(table->row.awaited | 1U << seat);
    }
    bool has_left = holder != STORAGE_SEAT_PLAYER && holder != STORAGE_SEAT_GUEST;
    if (!has_left || !table_is_playing(table) || table->row.halt == STORAGE_HALT_NONE) {
        return;
    }
    table->row.awaited = (uint8_t)(table->row.awaited & ~(1U << seat));
    if (table->row.halt == STORAGE_HALT_ROUND) {
        return; /* table_game.c waits only for those who are at the table */
    }
    resume_deadlines_withdraw_request(table, seat);
    uint8_t needed = seats_of_people_to_ask(house, table, PEOPLE_WHO_MAY_COME);
    /* true also if no player is left */
    bool is_agreed = (needed & ~table->row.asks[STORAGE_ASK_RESUME]) == 0;
    bool is_back = table->row.halt == STORAGE_HALT_HOUSE && table->row.awaited == 0;
    if (is_agreed || is_back) {
        end_halt(house, table);
    }
}
