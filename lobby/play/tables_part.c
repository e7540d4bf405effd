#include "lobby/play/play.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"
#include "storage/tables/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sends the sentence to players who began the game but have given up their seat, and who are in the
 * house but not at the table. */
static void tell_former_players(struct house *house, const struct table *table, json_t *sentence)
{
    for (int seat = 0; table->has_game && seat < table->row.players; seat++) {
        const struct person *person = person_find(house, table->plays[seat].starter.name);
        if (person == NULL || table_seat_of(table, person) >= 0 ||
            table_is_entered_by(table, person)) {
            continue;
        }
        person_send_notice(house, person, "warn", json_incref(sentence));
    }
    json_decref(sentence);
}

static void disclose_observer(struct house *house, struct table *table, const char *observer_name,
                              const char *reason)
{
    json_t *told = say(_("%s, who is staff here, has watched table #%lld: %s"), observer_name,
                       (long long)table->row.id, reason);
    chat_announce_at_table(
        house, table,
        say(_("%s, who is staff here, has watched this table: %s"), observer_name, reason));
    table_notify_people(house, table, json_incref(told));
    tell_former_players(house, table, told);
}

void observing_end(struct house *house, struct conn *conn, struct table *table)
{
    if (!conn_is_observing(conn) || house->is_read_only) {
        return; /* the stored row still says that the connection observes; when the disk has room,
                   the house is loaded again and ends the observing */
    }
    disclose_observer(house, table, conn->person->name, table_conn_state(conn)->observes);
    table_conn_state(conn)->observes[0] = '\0';
}

/* Called when a person is no longer staff: sends those of the person's connections that observe a
 * table back to the lobby. */
static void observing_end_for_person(struct house *house, struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (conn_is_observing(conn) && conn_table(conn) != NULL) {
            int64_t table = conn_table(conn)->row.id;
            table_exit(house, conn, false);
            conn_save(house, conn);
            conn_notify_removed_from_table(house, conn, table,
                                           say(_("You are no longer staff: back to the lobby.")));
        }
    }
}

/* Ends the observing of a stored connection that did not return after a restart. */
static void observing_end_for_lost_connection(struct house *house,
                                              const struct storage_connection *row)
{
    struct table *table = row->observes[0] == '\0' ? NULL : table_find(house, row->table);
    if (table != NULL) {
        disclose_observer(house, table, row->name, row->observes);
    }
}

#define GUEST_RETURN_MS 60000 /* more than a restart of the core takes */

void table_people_note_presence(struct house *house, struct table *table)
{
    if (!TAILQ_EMPTY(&table->conns) || table_seats_in_house(house, table) != 0) {
        table->empty_since_ms = 0;
    } else if (table->empty_since_ms == 0) {
        table->empty_since_ms = house->now_ms;
    }
}

/* True when a live game runs at this table, or stops between two rounds but waits for nobody after
 * a restart. Only then is it announced that a player has gone or is back. */
static bool live_game_is_running(const struct table *table)
{
    return table_is_playing(table) && clock_rule_is_for_one_sitting(&table->clock.rule) &&
           (table->row.halt == STORAGE_HALT_NONE ||
            (table->row.halt == STORAGE_HALT_ROUND && table->row.awaited == 0));
}

/* Gives the turn back to a player who has returned. was_absent: a bot has played for the player. */
static void table_times_note_player_returned(struct house *house, struct table *table, int seat,
                                             bool was_absent)
{
    struct seat_play *play = &table->plays[seat];
    struct storage_clock *own = &table->clock.seats[seat];
    if (was_absent) {
        own->misses = 0;
    }
    if (!own->is_running || table->row.halt != STORAGE_HALT_NONE) {
        return;
    }
    bool is_short =
        !was_absent && !own->is_grace_spent && own->due_ms < house->now_ms + TIMES_RETURN_MS;
    if (was_absent && !clock_rule_has_time_bank(&table->clock.rule)) {
        table_clock_begin_turn(&table->clock, seat, &play->time, house->now_ms);
    } else if (was_absent || (is_short && clock_rule_is_for_one_sitting(&table->clock.rule))) {
        own->is_grace_spent = true;
        table_clock_extend_deadline(&table->clock, seat, house->now_ms + TIMES_RETURN_MS);
    } else {
        return;
    }
    play->is_out_of_time = false;
}

void table_return_to_seat(struct house *house, struct table *table, int seat)
{
    struct storage_seat *holder = &table->row.seats[seat];
    bool was_absent = holder->is_absent;
    bool was_gone = table->gone_ms[seat] != 0;
    if (house->is_read_only) {
        return; /* the return is stored once the disk has room */
    }
    table->gone_ms[seat] = 0;
    if (was_absent) {
        holder->is_absent = false;
        chat_announce_at_table(house, table, say(_("%s is back and plays on."), holder->name));
    } else if (was_gone && live_game_is_running(table)) {
        chat_announce_at_table(house, table, say(ARRIVAL_CAME_BACK, holder->name));
    }
    if (table_is_playing(table) && (was_absent || was_gone)) {
        table_times_note_player_returned(house, table, seat, was_absent);
        table_halt_note_players_returned(house, table, 1U << seat);
    }
}

/* the value of seen_step for a player who is at the table */
#define HOLDER_IS_HERE UINT32_MAX

void absences_note_players_at_start(struct house *house, struct table *table)
{
    unsigned here = table_seats_entered(house, table);
    for (int seat = 0; seat < table->row.players; seat++) {
        table->clock.seats[seat].seen_step = (here >> seat & 1) != 0 ? HOLDER_IS_HERE : 0;
    }
}

/* After a restart, assumes that players who were at the table had seen all moves made so far. */
static void absences_assume_moves_seen(struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (table->clock.seats[seat].seen_step == HOLDER_IS_HERE) {
            table->clock.seats[seat].seen_step = (uint32_t)table->move_count;
        }
    }
}

/* Counts the moves that a bot made on a person's seat. */
struct bot_moves {
    uint8_t seat;
    unsigned moves_by_bot;
};

static bool count_moves_by_bot(void *context, const struct storage_move *move)
{
    struct bot_moves *count = context;
    count->moves_by_bot += move->seat == count->seat && move->conn == 0;
    return true;
}

static json_t *make_missed_moves_sentence(const struct table *table, int seat, unsigned moves,
                                          unsigned moves_by_bot)
{
    json_t *missed =
        moves_by_bot == 0
            ? say_plural("While you were away: %u move was made.",
                         "While you were away: %u moves were made.", moves)
            : say_plural("While you were away: %u move was made, %u by a bot for you.",
                         "While you were away: %u moves were made, %u by a bot for you.", moves,
                         moves_by_bot);
    return table_waits_for_seat(table, seat)
               ? say(_("%p It is your turn."), say_sentence_argument(missed))
               : missed;
}

/* Tells a player who was sent back to the table that they have missed nothing. */
static void tell_nothing_missed(struct house *house, const struct table *table, int seat,
                                const struct conn *conn)
{
    conn_send_notice(house, conn, "info",
                     say(table_waits_for_seat(table, seat)
                             ? _("You are back at %p, and have missed nothing. It is your turn.")
                             : _("You are back at %p, and have missed nothing."),
                         table_title(table)));
}

/* Tells the player how many moves they have missed. Returns true if the player was told
 * anything. */
static bool tell_missed_moves(struct house *house, struct table *table, int seat,
                              const struct conn *conn)
{
    uint32_t seen_step = table->clock.seats[seat].seen_step;
    if (!table_is_playing(table) || seen_step == HOLDER_IS_HERE) {
        return false;
    }
    table->clock.seats[seat].seen_step = HOLDER_IS_HERE;
    if (conn->awaits_hello || seen_step >= table->move_count) {
        return false;
    }
    struct bot_moves count = {.seat = (uint8_t)seat};
    table_check_storage_result(house, table,
                               storage_moves_each(house->storage, table->row.game_id, seen_step,
                                                  count_moves_by_bot, &count));
    conn_send_notice(house, conn, "info",
                     make_missed_moves_sentence(table, seat,
                                                (unsigned)(table->move_count - seen_step),
                                                count.moves_by_bot));
    return true;
}

/* Tells the player who adjourned the game and why, and how the game can go on. */
static void tell_why_adjourned(struct house *house, const struct table *table, int seat,
                               const struct conn *conn)
{
    const struct storage_table *row = &table->row;
    json_t *adjourned = NULL;
    if (row->halt_why[0] != '\0') {
        adjourned = say(_("%s had the game adjourned (%s): it goes on once all have said /resume."),
                        row->halt_by, row->halt_why);
    } else if (row->halt_by[0] != '\0') {
        adjourned = say(_("%s had the game adjourned: it goes on once all have said /resume."),
                        row->halt_by);
    } else {
        adjourned = say(_("The game is adjourned: it goes on once all have said /resume."));
    }
    conn_send_notice(house, conn, "info", adjourned);
    resume_deadlines_tell_time_left(house, table, seat, conn);
}

/* Tells the player of a request for a pause to which they have not agreed yet. */
static void tell_pause_request(struct house *house, const struct table *table, int seat,
                               const struct conn *conn)
{
    uint8_t asks = table->row.asks[STORAGE_ASK_PAUSE];
    if (asks == 0 || (asks >> seat & 1) != 0) {
        return;
    }
    conn_send_notice(house, conn, "info",
                     say(_("%s asks for a pause: /pause agrees, /resume plays on."),
                         table->row.seats[__builtin_ctz(asks)].name));
}

/* Tells the player of a request to adjourn to which they have not agreed yet. */
static void tell_adjourn_request(struct house *house, const struct table *table, int seat,
                                 const struct conn *conn)
{
    const struct storage_table *row = &table->row;
    uint8_t asks = row->asks[STORAGE_ASK_ADJOURN];
    if (asks == 0 || (asks >> seat & 1) != 0) {
        return;
    }
    conn_send_notice(
        house, conn, "info",
        row->halt_why[0] != '\0'
            ? say(_("%s asks to adjourn the game (%s): /adjourn agrees, /resume plays on."),
                  row->halt_by, row->halt_why)
            : say(_("%s asks to adjourn the game: /adjourn agrees, /resume plays on."),
                  row->halt_by));
}

static void tell_halt_and_requests(struct house *house, const struct table *table, int seat,
                                   const struct conn *conn)
{
    switch (table->row.halt) {
    case STORAGE_HALT_PAUSE:
        conn_send_notice(house, conn, "info",
                         say(_("The game is paused: /resume goes on with it.")));
        break;
    case STORAGE_HALT_ADJOURN:
        tell_why_adjourned(house, table, seat, conn);
        return;
    case STORAGE_HALT_HOUSE:
        conn_send_notice(house, conn, "info",
                         table->is_rated
                             ? say(_("The house was not running: the game waits for all who were "
                                     "here. After the first /resume it waits 7 days at most."))
                             : say(_("The house was not running: the game waits for all who were "
                                     "here; /resume goes on without them.")));
        break;
    case STORAGE_HALT_ROUND: /* the screen says whom the table waits for */
    case STORAGE_HALT_NONE:
        break;
    }
    tell_pause_request(house, table, seat, conn);
    tell_adjourn_request(house, table, seat, conn);
}

/* Called when the connection `conn` of a player has come back to the table. Tells the player what
 * they missed, whether it is their turn, and why the game is halted. */
static void absences_tell_returned_player(struct house *house, struct table *table, int seat,
                                          struct conn *conn)
{
    bool is_back = table_conn_state(conn)->back_to == table->row.id;
    table_conn_state(conn)->back_to = 0;
    if (!tell_missed_moves(house, table, seat, conn) && is_back) {
        tell_nothing_missed(house, table, seat, conn);
    }
    if (table_is_playing(table) && !conn->awaits_hello) {
        tell_halt_and_requests(house, table, seat, conn);
    }
}

void table_enter(struct house *house, struct conn *conn, struct table *table)
{
    table_touch(house, table);
    if (conn_table(conn) == table) {
        table_conn_state(conn)->is_new = true;
        return;
    }
    table_exit(house, conn, true);
    table_conn_state(conn)->table = table;
    table_conn_state(conn)->link.conn = conn;
    table_conn_state(conn)->is_new = true;
    TAILQ_INSERT_TAIL(&table->conns, &table_conn_state(conn)->link, in_list);
    int seat = table_seat_of(table, conn->person);
    if (seat >= 0) {
        table_return_to_seat(house, table, seat);
        absences_tell_returned_player(house, table, seat, conn);
    }
    conn_save(house, conn);
    table->empty_since_ms = 0;
    person_mark_changed(house, conn->person);
}

/* Called when one connection of the player on this seat has left the table. If it was the last one
 * there, notes up to which move the player has seen the game. */
static void absences_note_departure(struct house *house, struct table *table, int seat)
{
    if (table_is_playing(table) && (table_seats_entered(house, table) >> seat & 1) == 0) {
        table->clock.seats[seat].seen_step = (uint32_t)table->move_count;
    }
}

void table_exit(struct house *house, struct conn *conn, bool gives_up_seat)
{
    struct table *table = conn_table(conn);
    if (table == NULL) {
        return;
    }
    table_touch(house, table);
    TAILQ_REMOVE(&table->conns, &table_conn_state(conn)->link, in_list);
    table_conn_state(conn)->table = NULL;
    table_conn_state(conn)->is_new = false;
    int seat = table_seat_of(table, conn->person);
    if (seat >= 0) {
        absences_note_departure(house, table, seat);
    }
    bool keeps_seat = table_is_playing(table) || table_is_turn_by_turn(table);
    if (gives_up_seat && !house->is_read_only && seat >= 0 && !keeps_seat &&
        !table_is_entered_by(table, conn->person)) {
        table_vacate_seat(house, table, seat);
    }
    observing_end(house, conn, table);
    table_people_note_presence(house, table);
    person_mark_changed(house, conn->person);
    if (gives_up_seat && !house->is_read_only && seat >= 0 && table_is_lesson(table) &&
        !table_is_entered_by(table, conn->person)) {
        table_close(house, table); /* nobody else is interested in a lesson */
    }
}

static void end_observing_of_seated_person(struct house *house, struct table *table,
                                           const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (conn_table(conn) == table && conn_is_observing(conn)) {
            observing_end(house, conn, table);
            conn_save(house, conn);
        }
    }
}

void table_take_seat(struct house *house, struct table *table, int seat,
                     const struct person *person)
{
    struct storage_seat *holder = &table->row.seats[seat];
    if (table_seats_of_people(table) == 0) {
        table_set_host(house, table, person->account, person->name);
    }
    *holder = (struct storage_seat){
        .holder = person->kind == PERSON_GUEST ? STORAGE_SEAT_GUEST : STORAGE_SEAT_PLAYER,
        .account = person->account,
    };
    (void)snprintf(holder->name, sizeof(holder->name), "%s", person->name);
    table->gone_ms[seat] = 0;
    end_observing_of_seated_person(house, table, person);
    chat_announce_at_table(house, table, say(ARRIVAL_SAT_DOWN, person->name));
}

void table_vacate_seat(struct house *house, struct table *table, int seat)
{
    struct storage_seat *holder = &table->row.seats[seat];
    struct storage_seat left = *holder;
    *holder = (struct storage_seat){0};
    table->gone_ms[seat] = 0;
    table->row.rematch = (uint8_t)(table->row.rematch & ~(1U << seat));
    chat_announce_at_table(house, table, say(ARRIVAL_STOOD_UP, left.name));
    if (strcmp(left.name, table->row.host_name) == 0) {
        table_choose_new_host(house, table);
    }
}

void table_people_return_to_seats(struct house *house, struct person *person)
{
    TABLES_EACH(table, house) {
        int seat = table_seat_of(table, person);
        if (seat >= 0) {
            table_touch(house, table);
            table_return_to_seat(house, table, seat);
            table_people_note_presence(house, table);
        }
    }
}

/* Marks the player on this seat as gone from now on, and announces that the connection is lost. */
static void mark_seat_holder_gone(struct house *house, struct table *table, int seat)
{
    const struct storage_seat *holder = &table->row.seats[seat];
    bool is_noticed = live_game_is_running(table) && !holder->is_absent && !house->is_read_only;
    table->gone_ms[seat] = house->now_ms;
    if (is_noticed) {
        chat_announce_at_table(house, table, say(ARRIVAL_LOST_CONNECTION, holder->name));
    }
    table_people_note_presence(house, table);
    if (!house->is_read_only) {
        table_halt_note_player_gone(house, table, seat);
    }
}

static void mark_seats_of_person_gone(struct house *house, struct person *person)
{
    TABLES_EACH(table, house) {
        int seat = table_seat_of(table, person);
        if (seat >= 0) {
            table_touch(house, table);
            mark_seat_holder_gone(house, table, seat);
        }
    }
}

/* Called when a person is active after a long silence. Ends their respite, a time without deadlines
 * (tables/tables.h). */
static void end_time_without_deadlines_when_active(struct house *house, struct person *person,
                                                   bool was_idle)
{
    if (was_idle && person_is_in_house(person)) {
        deadline_respite_end(house, person->account);
    }
}

/* Returns until when an absent person keeps their seat while no game runs; INT64_MAX: for ever. */
static int64_t seat_kept_until_ms(const struct house *house, const struct table *table, int seat)
{
    int64_t kept_ms = table_is_turn_by_turn(table) ? PACE_DAYS_KEPT_MS
                                                   : 1000 * (int64_t)house->config.play_seat_kept_s;
    return table_is_playing(table) || table->gone_ms[seat] == 0 ? INT64_MAX
                                                                : table->gone_ms[seat] + kept_ms;
}

/* Returns until when somebody who holds a seat may come back; INT64_MAX: for ever. During a game, a
 * guest without a connection comes back only if the core has just been restarted. */
static int64_t holders_expected_until_ms(const struct house *house, const struct table *table)
{
    int64_t until_ms = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        if (holder->holder == STORAGE_SEAT_GUEST && table_is_playing(table) &&
            table->gone_ms[seat] != 0) {
            until_ms = tables_of(house)->loaded_ms + GUEST_RETURN_MS;
        } else if (seat_has_person(holder)) {
            return INT64_MAX;
        }
    }
    return until_ms;
}

/* Returns until when the table stays open if it is empty; INT64_MAX: it does not close. */
static int64_t table_kept_until_ms(const struct house *house, const struct table *table)
{
    int64_t expected_ms = holders_expected_until_ms(house, table);
    bool is_begun = table->row.state != STORAGE_TABLE_OPEN || table_count_taken_seats(table) > 0;
    if (table->empty_since_ms != 0 && is_begun && expected_ms != INT64_MAX) {
        return expected_ms > table->empty_since_ms ? expected_ms : table->empty_since_ms;
    }
    if (table_is_playing(table) && table->row.halt != STORAGE_HALT_NONE &&
        table->empty_since_ms != 0 && table->row.resume_due_ms == 0) {
        return table->row.halt_ms + DAY_MS * (int64_t)house->config.play_halted_kept_days;
    }
    int64_t kept_ms = table_is_turn_by_turn(table)
                          ? PACE_DAYS_KEPT_MS
                          : 1000 * (int64_t)house->config.play_table_kept_s;
    return table_is_playing(table) || table->empty_since_ms == 0 ? INT64_MAX
                                                                 : table->empty_since_ms + kept_ms;
}

/* Vacates seats that were kept long enough for an absent person, and closes the table if it has
 * been empty for too long. */
static void vacate_expired_seats_and_close_empty_table(struct house *house, struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        if (seat_kept_until_ms(house, table, seat) <= house->now_ms) {
            table_vacate_seat(house, table, seat);
        }
    }
    if (table_kept_until_ms(house, table) <= house->now_ms) {
        table_close(house, table);
    }
}

static int64_t next_expiry_at_table_ms(const struct house *house, const struct table *table)
{
    int64_t next_ms = table_kept_until_ms(house, table);
    for (int seat = 0; seat < table->row.players; seat++) {
        int64_t seat_ms = seat_kept_until_ms(house, table, seat);
        next_ms = seat_ms < next_ms ? seat_ms : next_ms;
    }
    return next_ms;
}

static const struct table_timer people_timer = {next_expiry_at_table_ms,
                                                vacate_expired_seats_and_close_empty_table};

/* The timers that nobody at a table waits for. */
static const struct table_timer *const unhurried_timers[] = {
    &resume_deadline_timer, &table_watch_timer, &people_timer, NULL};

static void run_due_timers(struct house *house)
{
    table_timers_run_due(house, unhurried_timers);
}

static int64_t next_timer_ms(const struct house *house)
{
    return table_timers_next_ms(house, unhurried_timers);
}

const struct person_listener tables_person_listener = {
    .person_size = sizeof(struct table_person_state),
    .active = end_time_without_deadlines_when_active,
    .demoted = observing_end_for_person,
    .gone = mark_seats_of_person_gone,
};

static void announce_closed_table(struct house *house, int64_t table_number, const char *why)
{
    journal_write_house_event(house, "table-closed",
                              JOURNAL_PAIRS("table", JOURNAL_NUMBER(table_number), "why", why));
    if (!house->is_read_only) {
        chat_announce_in_lobby(house, say(_("Table #%lld is closed: the house has lost a part of "
                                            "it. A game in progress there does not count."),
                                          (long long)table_number));
    }
}

/* Closes a table whose data are inconsistent (lobby/house/parts.h). The table's current game ends
 * without a result. The log and the lobby say that the table was closed. */
static void faulty_table_close(struct house *house, struct table *table, const char *why)
{
    const int64_t id = table->row.id;
    if (house->is_read_only) {
        table_free(house, table); /* the stored table will be closed once the disk has room */
    } else {
        table_close(house, table);
    }
    /* If the storage refuses to save the whole row of the table, only the row's state is changed.
     */
    if (house->fault.is_met) {
        fault_log_and_continue(house, "closing it");
        stored_or_fail(house, storage_table_close(house->storage, id));
    }
    announce_closed_table(house, id, why);
}

/* Closes the table that met a fault before the house was loaded again. */
static void close_given_up_table(struct house *house)
{
    const int64_t number = house->given_up->at.item;
    struct table *table = table_find(house, number);
    if (table == NULL) { /* the table could not be loaded */
        announce_closed_table(house, number, house->given_up->why);
        return;
    }
    (void)fault_blame_item(house, "table", number);
    faulty_table_close(house, table, house->given_up->why);
}

/* The replay of a stored game. */
struct replay {
    struct table *table;
    bool is_broken;
};

static bool replay_move(void *context, const struct storage_move *row)
{
    struct replay *replay = context;
    struct table *table = replay->table;
    uint8_t move = game_move_parse(table->game, row->text);
    replay->is_broken = row->step != table->move_count || move == MOVE_NONE ||
                        table_game_apply_move(table, row->seat, move, row->at_ms) != GAME_OK;
    return !replay->is_broken;
}

static bool replay_seat_change(void *context, const struct storage_seat_change *change)
{
    struct replay *replay = context;
    replay->is_broken = change->seat >= replay->table->row.players;
    if (replay->is_broken) {
        return false;
    }
    struct seat_play *play = &replay->table->plays[change->seat];
    play->has_left = true;
    play->left_step = change->step;
    return true;
}

/* If a player disconnected at most this long before the house stopped, the game waits for them,
 * because a stopping house may disconnect players first. */
#define RESTORE_WITH_HOUSE_MS 60000

/* Returns the seats of players who were connected when the house went down (bit s stands for seat
 * s); the game waits for them. The stored gone_ms says when a player disconnected. */
static uint8_t find_awaited_players(const struct house *house, struct table *table)
{
    uint8_t awaited = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        bool was_in = table->gone_ms[seat] == 0 ||
                      table->gone_ms[seat] > house->alive_ms - RESTORE_WITH_HOUSE_MS;
        if (seat_has_person(holder) && !holder->is_absent && was_in) {
            bool was_gone = table->gone_ms[seat] != 0 && (table->row.awaited >> seat & 1) == 0;
            awaited = (uint8_t)(awaited | 1U << seat);
            table->gone_before = (uint8_t)(table->gone_before | (unsigned)was_gone << seat);
        }
    }
    return awaited;
}

/* Copies what a clock measures. Without a clock, it is not stored, since the times of the replayed
 * moves are more accurate. */
static void copy_measured_times(struct storage_clock *to, const struct storage_clock *from)
{
    to->is_running = from->is_running;
    to->since_ms = from->since_ms;
    to->due_ms = from->due_ms;
    to->bank_ms = from->bank_ms;
}

static bool load_stored_clock(void *context, const struct storage_clock *row)
{
    struct table *table = context;
    if (row->seat < SEATS_MAX) {
        table->stored_clocks[row->seat] = *row;
    }
    if (row->game == table->row.game_id && row->seat < table->row.players) {
        struct storage_clock *own = &table->clock.seats[row->seat];
        const struct storage_clock replayed = *own;
        *own = *row;
        if (table->clock.rule.kind == CLOCK_NONE) {
            copy_measured_times(own, &replayed);
        }
        table->gone_ms[row->seat] = row->gone_ms;
    }
    return true;
}

/* Loads the stored clocks of a table whose game has been replayed. Sets gone_ms of each seat to the
 * time when the player's last connection ended; 0: the player was connected. */
static void table_times_load_stored_clocks(struct house *house, struct table *table)
{
    table_check_storage_result(
        house, table, storage_clocks_each(house->storage, table->row.id, load_stored_clock, table));
    if (table->row.halt != STORAGE_HALT_NONE) {
        table_clock_stop_all(&table->clock, table->row.halt_ms);
    }
}

/* Makes sure that the downtime of the house since from_ms is charged to no player at this table. */
static void table_times_skip_downtime(struct house *house, struct table *table, int64_t from_ms)
{
    table_clock_skip_time(&table->clock, from_ms, house->now_ms);
    for (int seat = 0; seat < table->row.players; seat++) {
        int64_t *gone_ms = &table->gone_ms[seat];
        if (*gone_ms != 0) {
            *gone_ms += house->now_ms - (*gone_ms > from_ms ? *gone_ms : from_ms);
        }
    }
    table_touch(house, table);
}

/* Resumes the clocks where they stopped, so that the downtime costs no player any time. */
static void restore_clocks(struct house *house, struct table *table)
{
    table_times_load_stored_clocks(house, table);
    absences_assume_moves_seen(table);
    if (house->is_read_only) { /* the clocks stay stopped: when the disk has room, the house is
                                  loaded again */
        table_clock_stop_all(&table->clock, house->alive_ms);
        return;
    }
    resume_deadlines_skip_downtime(house, table,
                                   house->alive_ms != 0 ? house->alive_ms : house->now_ms);
    bool is_live = clock_rule_is_for_one_sitting(&table->clock.rule);
    uint8_t awaited = is_live ? find_awaited_players(house, table) : 0;
    table->is_unsettled = table->row.halt == STORAGE_HALT_ROUND;
    if (table->row.halt == STORAGE_HALT_HOUSE || table->row.halt == STORAGE_HALT_PAUSE ||
        table->row.halt == STORAGE_HALT_ROUND) {
        table->row.awaited = (uint8_t)(table->row.awaited | awaited);
    } else if (table->row.halt == STORAGE_HALT_NONE && awaited != 0) {
        table_halt_wait_for_players(house, table, awaited);
    } else if (table->row.halt == STORAGE_HALT_NONE && house->alive_ms != 0) {
        table_times_skip_downtime(house, table, house->alive_ms);
    }
}

/* Marks all players as gone from now on. Each of them is marked so until they return. */
static void mark_everybody_as_gone(struct house *house, struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        table->gone_ms[seat] = seat_has_person(&table->row.seats[seat]) ? house->now_ms : 0;
    }
}

/* Deals the stored game and replays its moves. Returns false if a step fails. */
static bool restore_game(struct house *house, struct table *table)
{
    struct storage_game game;
    if (!stored(house, storage_game_read(house->storage, table->row.game_id, &game)) ||
        game.players != table->config.players || game.format != GAME_FORMAT) {
        return false;
    }
    memcpy(table->seed, game.seed, sizeof(table->seed));
    table->is_rated = game.is_rated;
    table_times_read_time_off(house, table);
    table_game_deal(table, game.started_ms);
    for (int seat = 0; seat < table->config.players; seat++) {
        table->plays[seat].starter = game.seats[seat];
    }
    struct replay replay = {.table = table};
    bool is_read =
        stored(house,
               storage_seat_changes_each(house->storage, game.id, replay_seat_change, &replay)) &&
        !replay.is_broken &&
        stored(house, storage_moves_each(house->storage, game.id, 0, replay_move, &replay));
    if (!is_read || replay.is_broken || !table->has_game) {
        return false;
    }
    table_watch_update_visible_state(NULL, table);
    bool is_over = game_seats_to_act(&table->state) == 0;
    if (is_over != (table->row.state == STORAGE_TABLE_FINISHED)) {
        return false;
    }
    if (is_over) {
        table_finish_make_result(house, table);
    }
    return true;
}

static void close_broken_table(struct house *house, struct table *table)
{
    const struct fault fault = house->fault;
    house->fault.is_met = false;
    faulty_table_close(house, table, fault.is_met ? fault.why : "its game cannot be replayed");
}

/* A seat whose account is missing is a fault: nobody could take the seat back, and no result could
 * be stored. */
static void check_accounts_of_seats(struct house *house, const struct storage_table *row)
{
    struct storage_account account;
    for (int seat = 0; seat < row->players; seat++) {
        if (row->seats[seat].account != 0) {
            stored_or_fail(
                house, storage_account_by_id(house->storage, row->seats[seat].account, &account));
        }
    }
}

static void restore_table(struct house *house, const struct storage_table *row)
{
    struct table *table = table_load(house, row);
    if (table == NULL) {
        journal_write_house_event(
            house, "table-left-out",
            JOURNAL_PAIRS("table", JOURNAL_NUMBER(row->id), "game", row->game));
        return;
    }
    check_accounts_of_seats(house, row);
    bool is_good = row->state == STORAGE_TABLE_OPEN || restore_game(house, table);
    if (is_good && table_is_playing(table)) {
        restore_clocks(house, table);
    }
    if (is_good && !house->fault.is_met) {
        mark_everybody_as_gone(house, table);
    } else {
        close_broken_table(house, table);
    }
}

/* The stored tables. All are read before any is restored, because restoring writes to the
 * storage. */
struct restore_list {
    struct storage_table *rows;
    size_t count, cap;
};

static bool collect_table_row(void *context, const struct storage_table *row)
{
    struct restore_list *list = context;
    list->rows = memory_grow(list->rows, list->count, &list->cap, sizeof(*list->rows));
    list->rows[list->count++] = *row;
    return true;
}

/* Makes the reads that restoring the table will make (storage_read_ahead_begin). */
static void read_table_ahead(struct house *house, const struct storage_table *row)
{
    struct storage *storage = house->storage;
    struct storage_game game;
    struct storage_account account;
    struct storage_rating rating;
    struct storage_time_away time;
    for (int seat = 0; seat < row->players; seat++) {
        int64_t holder = row->seats[seat].account;
        if (holder == 0) {
            continue;
        }
        stored_ahead(house, storage_account_by_id(storage, holder, &account));
        stored_ahead(house, storage_time_away_read(storage, holder, &time));
        stored_ahead(house, storage_rating_read(storage, holder, row->game, 0, &rating));
    }
    if (row->state != STORAGE_TABLE_OPEN) {
        stored_ahead(house, storage_game_read(storage, row->game_id, &game));
        stored_ahead(house,
                     storage_seat_changes_each(storage, row->game_id, replay_seat_change, NULL));
        stored_ahead(house, storage_moves_each(storage, row->game_id, 0, replay_move, NULL));
        stored_ahead(house, storage_clocks_each(storage, row->id, NULL, NULL));
    }
}

/* So many tables are read ahead together. */
#define READ_TOGETHER 100

static void read_tables_ahead(struct house *house, const struct restore_list *list, size_t first)
{
    if (!storage_read_ahead_begin(house->storage)) {
        return;
    }
    for (size_t i = first; i < list->count && i < first + READ_TOGETHER; i++) {
        read_table_ahead(house, &list->rows[i]);
    }
    stored_or_fail(house, storage_read_ahead_end(house->storage));
}

/* Restores all open tables. Replays the moves of their games; clocks resume where they stopped. A
 * table whose game cannot be replayed is closed (house/parts.h). */
static void table_restore_all(struct house *house)
{
    const struct doing was = house->doing;
    struct restore_list list = {0};
    tables_of(house)->loaded_ms = house->now_ms;
    stored_or_fail(house, storage_tables_each(house->storage, collect_table_row, &list));
    for (size_t i = 0; i < list.count && !house->is_failed; i++) {
        if (i % READ_TOGETHER == 0) {
            read_tables_ahead(house, &list, i);
        }
        (void)fault_blame_item(house, "table", list.rows[i].id);
        restore_table(house, &list.rows[i]);
        fault_log_and_continue(house, "tables");
    }
    if (house->given_up != NULL) {
        close_given_up_table(house);
    }
    house->doing = was;
    free(list.rows);
}

/* Hooks that the house calls for the tables: at start, at stop, and when connections come and
 * go. */

static void free_all_tables(struct house *house)
{
    TABLES_EACH(table, house) {
        table_free(house, table);
    }
    tables_of(house)->has_touched = false;
    tables_of(house)->rows_changed = false;
}

static void send_tables_at_hello(struct house *house, struct conn *conn)
{
    invites_send_valid(house, conn);
    table_eligibility_send(house, conn);
    if (conn_table(conn) != NULL) {
        chat_send_table_backlog(house, conn);
        table_conn_state(conn)->is_new = true;
        table_touch(house, conn_table(conn));
    }
}

static void fill_connection_row(const struct conn *conn, struct storage_connection *row)
{
    row->table = conn_table(conn) == NULL ? 0 : conn_table(conn)->row.id;
    (void)snprintf(row->observes, sizeof(row->observes), "%s", table_conn_state(conn)->observes);
}

static bool return_connection_to_table(struct house *house, struct conn *conn,
                                       const struct storage_connection *row)
{
    if (!conn->is_query_only) {
        table_people_return_to_seats(house, conn->person);
    }
    struct table *table = row->table == 0 ? NULL : table_find(house, row->table);
    if (table != NULL) {
        (void)snprintf(table_conn_state(conn)->observes, sizeof(table_conn_state(conn)->observes),
                       "%s", row->observes);
        table_enter(house, conn, table);
    }
    return true;
}

static void remove_connection_from_table(struct house *house, struct conn *conn)
{
    table_exit(house, conn, false);
}

/* Returns how often the core must store the present time for this table, in ms; INT64_MAX when no
 * clock runs there. */
static int64_t table_time_storing_interval_ms(UNUSED const struct house *house,
                                              const struct table *table)
{
    if (!table_is_playing(table) || table->row.halt != STORAGE_HALT_NONE ||
        table->clock.rule.kind == CLOCK_NONE) {
        return INT64_MAX;
    }
    return clock_rule_is_for_one_sitting(&table->clock.rule) ? DOWNTIME_LIVE_MS : DOWNTIME_DAYS_MS;
}

static void skip_downtime_at_tables(struct house *house, int64_t since_ms)
{
    TABLES_EACH(table, house) {
        if (table_is_playing(table) && table->row.halt == STORAGE_HALT_NONE) {
            table_times_skip_downtime(house, table, since_ms);
        }
    }
}

static void measure_tables(const struct house *house)
{
    TABLES_EACH(table, house) {
        metrics_count(house, HOUSE_METRIC_tables, table->game->id,
                      table_phase_words.texts[table_phase(table)], 1);
    }
}

static void store_clock(struct house *house, struct table *table, int seat)
{
    struct storage_clock row = table->clock.seats[seat];
    row.table = table->row.id;
    row.seat = (uint8_t)seat;
    row.game = table->row.game_id;
    row.gone_ms = table->gone_ms[seat];
    if (table->clock.rule.kind == CLOCK_NONE) {
        copy_measured_times(&row, &(const struct storage_clock){.due_ms = 0});
    }
    enum storage_result result =
        storage_clock_save(house->storage, &row, &table->stored_clocks[seat]);
    if (result == STORAGE_OK) {
        table->stored_clocks[seat] = row;
    }
    table_check_storage_result(house, table, result);
}

/* Stores what has changed of the rows of tables and of the clocks of running games. Called before a
 * commit. */
static void tables_save_changes(struct house *house)
{
    if (!tables_of(house)->has_touched) {
        return;
    }
    tables_of(house)->has_touched = false;
    TABLES_EACH(table, house) {
        if (!table->is_touched) {
            continue;
        }
        table->is_touched = false;
        table_save(house, table);
        for (int seat = 0; table_is_playing(table) && seat < table->row.players; seat++) {
            store_clock(house, table, seat);
        }
    }
}

/* After a restart, the stored time tells how long the house was down, so that the downtime counts
 * on no player's clock. */
static void save_changes_and_note_clocks(struct house *house)
{
    tables_save_changes(house);
    house->alive_every_ms = tables_next_ms(house, table_time_storing_interval_ms);
}

const struct part play_part = {
    .name = "play",
    .load = table_restore_all,
    .clear = free_all_tables,
    .tick = run_due_timers,
    .next_ms = next_timer_ms,
    .flush = save_changes_and_note_clocks,
    .measure = measure_tables,
    .hello = send_tables_at_hello,
    .conn_row = fill_connection_row,
    .conn_return = return_connection_to_table,
    .conn_gone = remove_connection_from_table,
    .row_gone = observing_end_for_lost_connection,
    .settled = table_halts_stop_waiting_for_lost_players,
    .skip = skip_downtime_at_tables,
};
