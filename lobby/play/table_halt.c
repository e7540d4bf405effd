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

/* True when somebody without a seat sees the game as it is played. */
static bool table_has_spectator_without_delay(const struct table *table)
{
    LINKED_CONNS_EACH(conn, &table->conns) {
        if (table_watch_is_spectator(table, conn) && !table_watch_is_delayed(table) &&
            conn_sees_stop(conn)) {
            return true;
        }
    }
    return false;
}

/* Counts the seats of people, absent or not. A program that plays at the table counts as a bot. */
static int count_seats_of_people(const struct house *house, const struct table *table)
{
    int count = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct person *person = table_connected_holder(house, table, seat);
        count += seat_has_person(&table->row.seats[seat]) &&
                 (person == NULL || person->kind != PERSON_BOT);
    }
    return count;
}

/* True when the stop lasts as long as the person who plays wants: all others are bots. */
static bool one_person_plays_against_bots(const struct house *house, const struct table *table)
{
    return table_seats_that_see_stop(house, table) != 0 && count_seats_of_people(house, table) == 1;
}

static int64_t new_deadline_ms(const struct house *house, const struct table *table)
{
    return house->now_ms + pace_round_stop_ms((enum pace)table->row.pace);
}

void table_halt_begin_round_stop(struct house *house, struct table *table)
{
    bool is_played_alone = one_person_plays_against_bots(house, table);
    if (table_seats_that_see_stop(house, table) != 0 || table_has_spectator_without_delay(table)) {
        table->row.asks[STORAGE_ASK_RESUME] = 0;
        table->row.resume_due_ms = is_played_alone ? 0 : new_deadline_ms(house, table);
        halt_game(table, STORAGE_HALT_ROUND, house->now_ms);
    }
}

/* Ends the stop between two rounds. If a downtime of the house during the stop disconnected players
 * who are not back, the game goes on waiting for them. */
static void end_round_stop(struct house *house, struct table *table)
{
    if (table->row.awaited == 0) {
        end_halt(house, table);
    } else {
        table->row.asks[STORAGE_ASK_RESUME] = 0;
        halt_game(table, STORAGE_HALT_HOUSE, house->now_ms);
    }
}

/* True when the stop needs a deadline that it does not have: the person who played against bots has
 * left, or somebody else has come to play. */
static bool stop_lacks_deadline(const struct house *house, const struct table *table)
{
    return table->row.resume_due_ms == 0 && !table->is_unsettled &&
           !one_person_plays_against_bots(house, table);
}

static bool stop_is_over(const struct house *house, const struct table *table)
{
    if (table->row.resume_due_ms != 0 && table->row.resume_due_ms <= house->now_ms) {
        return true;
    }
    if (table_seats_awaited_at_stop(house, table) != 0) {
        return false;
    }
    bool has_player = table_seats_that_see_stop(house, table) != 0;
    return has_player || (!table->is_unsettled && !table_has_spectator_without_delay(table));
}

static void end_stop_if_over(struct house *house, struct table *table)
{
    if (stop_is_over(house, table)) {
        end_round_stop(house, table);
    } else if (stop_lacks_deadline(house, table)) {
        table->row.resume_due_ms = new_deadline_ms(house, table);
    }
}

/* Records that the person on this seat has read the scores. Ends the stop after the last of them.
 */
static void note_scores_are_read(struct house *house, struct table *table, int seat)
{
    uint8_t *asked = &table->row.asks[STORAGE_ASK_RESUME];
    *asked = (uint8_t)(*asked | 1U << seat);
    end_stop_if_over(house, table);
}

/* Returns when to look at the table again. What the people at the table do changes the stop at
 * once. */
static int64_t next_check_of_stop_ms(const struct house *house, const struct table *table)
{
    if (!table_is_playing(table) || table->row.halt != STORAGE_HALT_ROUND) {
        return INT64_MAX;
    }
    if (stop_is_over(house, table) || stop_lacks_deadline(house, table)) {
        return house->now_ms;
    }
    return table->row.resume_due_ms == 0 ? INT64_MAX : table->row.resume_due_ms;
}

const struct table_timer round_stop_timer = {next_check_of_stop_ms, end_stop_if_over};

#define DAY_HOURS INT64_C(24)

/* Returns the seats of an adjourned game whose players have not yet asked to resume it. */
static unsigned seats_that_must_ask_to_resume(const struct table *table)
{
    return table->row.halt == STORAGE_HALT_ADJOURN
               ? table_seats_of_people(table) & ~(unsigned)table->row.resume_asked
               : 0;
}

/* True if a game that is halted in this way goes on at a deadline. */
static bool halt_has_deadline(enum storage_halt halt)
{
    return halt == STORAGE_HALT_ADJOURN || halt == STORAGE_HALT_HOUSE;
}

static bool resume_deadline_is_running(const struct table *table)
{
    return table->row.resume_due_ms != 0 && table_is_playing(table) &&
           halt_has_deadline(table->row.halt);
}

void resume_deadlines_tell_time_left(struct house *house, const struct table *table, int seat,
                                     const struct conn *conn)
{
    if (table->row.resume_due_ms == 0 || (seats_that_must_ask_to_resume(table) >> seat & 1) == 0) {
        return;
    }
    int64_t left_ms = table->row.resume_due_ms - house->now_ms;
    int64_t hours = left_ms > HOUR_MS ? left_ms / HOUR_MS : 1;
    if (hours >= 2 * DAY_HOURS) {
        hours -= hours % DAY_HOURS;
    }
    conn_send_notice(
        house, conn, "warn",
        say(_("The others want to go on with %p: say /resume there within %p, or you have "
              "left the game for good."),
            table_title(table), say_duration_argument(hours * HOUR_MS)));
}

/* Tells players of this table who are elsewhere in the house that they must come back by a
 * deadline. */
static void tell_players_elsewhere(struct house *house, const struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct person *person = table_connected_holder(house, table, seat);
        if (person == NULL || table_is_entered_by(table, person)) {
            continue;
        }
        LINKED_CONNS_EACH(conn, &person->conns) {
            resume_deadlines_tell_time_left(house, table, seat, conn);
        }
    }
}

/* Records that the player on this seat asks to resume the halted game. The first such request
 * starts the deadline. */
static void note_request_to_resume(struct house *house, struct table *table, int seat)
{
    if (!table->is_rated || !halt_has_deadline(table->row.halt)) {
        return;
    }
    table->row.resume_asked = (uint8_t)(table->row.resume_asked | 1U << seat);
    if (table->row.resume_due_ms != 0) {
        return;
    }
    table->row.resume_due_ms = house->now_ms + RESUME_DEADLINE_MS;
    chat_announce_at_table(
        house, table,
        table->row.halt == STORAGE_HALT_ADJOURN
            ? say(_("The game goes on in 7 days at the latest: whoever has not said "
                    "/resume by then has left it for good."))
            : say(_("The game goes on and stays rated once all are here at the same time, or in 7 "
                    "days at the latest; a bot then plays for whoever is away.")));
    tell_players_elsewhere(house, table);
}

/* Withdraws a player's request to resume, because the player has left the game for good. */
static void withdraw_request_to_resume(struct table *table, int seat)
{
    table->row.resume_asked = (uint8_t)(table->row.resume_asked & ~(1U << seat));
    if (table->row.resume_asked == 0) {
        table->row.resume_due_ms = 0;
    }
}

void resume_deadlines_skip_downtime(struct house *house, struct table *table, int64_t down_since_ms)
{
    if (resume_deadline_is_running(table) && house->now_ms > down_since_ms) {
        table->row.resume_due_ms += house->now_ms - down_since_ms;
        table_touch(house, table);
    }
}

static void resume_game_at_deadline(struct house *house, struct table *table)
{
    json_t *over = say(table->row.halt == STORAGE_HALT_ADJOURN
                           ? _("The time to come back to %p is over: the game goes on, without "
                               "those who have not said /resume.")
                           : _("The time to come back to %p is over: the game goes on, and a bot "
                               "plays for whoever is away."),
                       table_title(table));
    table_notify_people(house, table, json_incref(over));
    chat_announce_at_table(house, table, over);
    for (unsigned missing = seats_that_must_ask_to_resume(table); missing != 0;
         missing &= missing - 1) {
        table_game_leave_for_good(house, table, seats_first(missing));
    }
    if (table->row.halt != STORAGE_HALT_NONE) {
        chat_announce_at_table(house, table, say(_("The game goes on.")));
        end_halt(house, table);
    }
}

static int64_t deadline_of_table_ms(UNUSED const struct house *house, const struct table *table)
{
    return resume_deadline_is_running(table) ? table->row.resume_due_ms : INT64_MAX;
}

const struct table_timer resume_deadline_timer = {deadline_of_table_ms, resume_game_at_deadline};

/* Returns the seats of the players who can still come back; absent guests cannot. */
static unsigned seats_that_may_come(const struct house *house, const struct table *table)
{
    return table_seats_held_by(table, STORAGE_SEAT_PLAYER) | table_seats_in_house(house, table);
}

/* True if it is the turn of a player who is here, or will be after the stop between two rounds: a
 * pause would stop that player's clock. */
static bool pause_would_stop_a_clock(const struct house *house, const struct table *table)
{
    return (table_seats_entered(house, table) & table_seats_on_turn(table) &
            ~table_seats_absent(table)) != 0;
}

/* Returns the seats whose players must agree to this request. In a rated game everybody with a seat
 * must agree, present or not, to an adjournment, and to a pause that stops the clock of a present
 * player. To resume a rated game, the players whom the house's downtime disconnected must agree
 * too. */
static unsigned seats_that_must_agree(const struct house *house, const struct table *table,
                                      enum storage_ask ask)
{
    bool takes_all = table->row.halt == STORAGE_HALT_ADJOURN;
    if (ask != STORAGE_ASK_RESUME) {
        takes_all = table->is_rated &&
                    (ask == STORAGE_ASK_ADJOURN || pause_would_stop_a_clock(house, table));
    }
    unsigned awaited = ask == STORAGE_ASK_RESUME && table->is_rated ? table->row.awaited : 0;
    return awaited |
           (takes_all ? seats_that_may_come(house, table) : table_seats_entered(house, table));
}

/* Makes the sentence that says who asks for what, and how many of the players who must agree have
 * agreed. */
static json_t *make_request_sentence(const struct house *house, const struct table *table,
                                     enum storage_ask ask, int seat)
{
    const struct storage_table *row = &table->row;
    const char *name = table->row.seats[seat].name;
    unsigned needed = seats_that_must_agree(house, table, ask);
    int all = __builtin_popcount(needed);
    int asked = __builtin_popcount(table->row.asks[ask] & needed);
    bool is_away = (needed & ~table_seats_entered(house, table)) != 0;
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
        note_request_to_resume(house, table, seat);
    }
    unsigned needed = seats_that_must_agree(house, table, ask);
    if (is_one_enough || (needed & ~(unsigned)table->row.asks[ask]) == 0) {
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
        note_scores_are_read(house, table, request->seat);
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

void table_halt_wait_for_players(struct house *house, struct table *table, uint8_t awaited)
{
    table->row.awaited = awaited;
    table_touch(house, table);
    halt_game(table, STORAGE_HALT_HOUSE, house->alive_ms != 0 ? house->alive_ms : house->now_ms);
}

void table_halt_note_players_returned(struct house *house, struct table *table, unsigned seats)
{
    if ((table->row.awaited & seats) == 0) {
        return;
    }
    table->row.awaited = (uint8_t)(table->row.awaited & ~seats);
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

static void stop_waiting_for_lost_players(struct house *house, struct table *table,
                                          bool conns_survived)
{
    unsigned in_house = table_seats_in_house(house, table);
    unsigned lost = table_seats_held_by(table, STORAGE_SEAT_GUEST);
    lost |= conns_survived ? table->gone_before : 0;
    /* Those who have left while no core was running do not ask to resume. Their requests for a
     * pause or an adjournment stay. */
    table->row.asks[STORAGE_ASK_RESUME] = (uint8_t)(table->row.asks[STORAGE_ASK_RESUME] & in_house);
    table_halt_note_players_returned(house, table, lost & ~in_house);
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
        return; /* the stop waits only for those who are at the table */
    }
    withdraw_request_to_resume(table, seat);
    /* true also if no player is left */
    bool is_agreed =
        (seats_that_may_come(house, table) & ~(unsigned)table->row.asks[STORAGE_ASK_RESUME]) == 0;
    bool is_back = table->row.halt == STORAGE_HALT_HOUSE && table->row.awaited == 0;
    if (is_agreed || is_back) {
        end_halt(house, table);
    }
}
