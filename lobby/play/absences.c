#include "lobby/play/play.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"
#include "storage/tables/tables.h"

#include <time.h>

/* the value of seen_step for a player who is at the table */
#define HOLDER_IS_HERE UINT32_MAX

void absences_note_players_at_start(struct house *house, struct table *table)
{
    unsigned here = table_seats_entered(house, table);
    for (int seat = 0; seat < table->row.players; seat++) {
        table->clock.seats[seat].seen_step = (here >> seat & 1) != 0 ? HOLDER_IS_HERE : 0;
    }
}

void absences_assume_moves_seen(struct table *table)
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

void absences_tell_returned_player(struct house *house, struct table *table, int seat,
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

/*
 * Vacations: a player takes whole days, which are added to all deadlines of their turn-by-turn
 * games. There is a limit of days for each calendar year (UTC).
 */

static uint16_t calendar_year_of(int64_t at_ms)
{
    time_t seconds = (time_t)(at_ms / 1000);
    struct tm parts;
    return gmtime_r(&seconds, &parts) == NULL ? 0 : (uint16_t)(parts.tm_year + 1900);
}

static int64_t vacation_days_left(const struct house *house,
                                  const struct storage_time_away *vacation)
{
    bool is_this_year = vacation->vacation_year == calendar_year_of(house->now_ms);
    int64_t left =
        (int64_t)house->config.play_vacation_days - (is_this_year ? vacation->vacation_days : 0);
    return left < 0 ? 0 : left;
}

static void add_taken_vacation_days(const struct house *house, struct storage_time_away *vacation,
                                    int64_t days)
{
    uint16_t year = calendar_year_of(house->now_ms);
    int64_t taken = (vacation->vacation_year == year ? vacation->vacation_days : 0) + days;
    vacation->vacation_year = year;
    vacation->vacation_days = (uint16_t)(taken < 0 ? 0 : taken);
}

/* Moves the player's deadline at this table, and tells the people there. */
static void move_deadline_at_table(struct house *house, struct table *table, int seat,
                                   int64_t by_ms)
{
    const char *name = table->row.seats[seat].name;
    table_clock_move_deadline(&table->clock, seat, by_ms);
    chat_announce_at_table(
        house, table,
        by_ms > 0 ? say_plural("%s is on vacation: their deadline here moves by %d day.",
                               "%s is on vacation: their deadline here moves by %d days.", name,
                               (int)(by_ms / DAY_MS))
                  : say(_("%s is back from vacation: their time runs again."), name));
}

static void move_deadlines_at_all_tables(struct house *house, const struct person *person,
                                         int64_t by_ms)
{
    TABLES_EACH(table, house) {
        int seat = table_is_playing(table) ? table_seat_of(table, person) : -1;
        if (seat >= 0 && !clock_rule_is_for_one_sitting(&table->clock.rule)) {
            move_deadline_at_table(house, table, seat, by_ms);
        }
    }
}

/* Takes `days` more vacation days for the person. With 0, ends the vacation and gives back the
 * unused days. */
static void take_vacation_days(struct house *house, const struct person *person,
                               struct storage_time_away *vacation, int64_t days)
{
    int64_t now_ms = house->now_ms;
    int64_t rest_ms = vacation->vacation_ms > now_ms ? vacation->vacation_ms - now_ms : 0;
    if (days == 0 && rest_ms == 0) {
        return;
    }
    if (days == 0) {
        add_taken_vacation_days(house, vacation, -(rest_ms / DAY_MS));
        vacation->vacation_ms = now_ms;
        move_deadlines_at_all_tables(house, person, -rest_ms);
    } else {
        add_taken_vacation_days(house, vacation, days);
        vacation->vacation_ms = now_ms + rest_ms + days * DAY_MS;
        move_deadlines_at_all_tables(house, person, days * DAY_MS);
    }
    stored_or_fail(house, storage_time_away_save(house->storage, vacation));
    table_times_reread_time_off(house, person->account);
}

bool need_vacations(struct request *request)
{
    if (request->conn->person->account != 0) {
        return true;
    }
    return answer_no(request, "guest",
                     _("Guests cannot play turn by turn: make an account to take a vacation."));
}

void message_vacation(const struct request *request)
{
    struct house *house = request->house;
    const struct person *person = request->conn->person;
    struct storage_time_away time = {.account = person->account};
    int64_t days = -1;
    bool is_asking = json_read_key_is_absent(request->body, "days");
    bool is_known = stored(house, storage_time_away_read(house->storage, person->account, &time));
    int64_t left =
        is_known ? vacation_days_left(house, &time) : (int64_t)house->config.play_vacation_days;
    if (!is_asking && !json_read_number(request->body, "days", 0, left, &days)) {
        answer_no(request, "vacation",
                  _("You have %d vacation days left this year: take no more than that, or 0 "
                    "to come back."),
                  (int)left);
        return;
    }
    if (!is_asking) {
        take_vacation_days(house, person, &time, days);
    }
    bool is_away = time.vacation_ms > house->now_ms;
    answer_ok(request, json_pack("{s:o,s:I}", "until",
                                 is_away ? json_integer(time.vacation_ms) : json_null(),
                                 "days_left", (json_int_t)vacation_days_left(house, &time)));
}
