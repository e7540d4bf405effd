#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"
#include "storage/tables/tables.h"

#include <time.h>

/*
 * Vacations: a player takes whole days, which are added to all deadlines of their turn-by-turn
 * games. There is a limit of days for each calendar year (UTC).
 */

#define DAY_MS INT64_C(86400000)

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
    table_times_mark_clock_changed(house, table, seat);
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

static bool requester_may_take_vacations(const struct request *request)
{
    if (request->conn->person->account != 0) {
        return true;
    }
    answer_no(request, "guest",
              _("Guests cannot play turn by turn: make an account to take a vacation."));
    return false;
}

const struct need need_vacations = {.holds = requester_may_take_vacations};

static void message_vacation(const struct request *request)
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

const struct message_handler handler_vacation = {message_vacation};
