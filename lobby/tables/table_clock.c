#include "lobby/tables/tables.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "storage/tables/tables.h"

#include <time.h>

static int table_times_find_seat(const struct table *table, int64_t account);

#define DAY_MIN 1440

bool quiet_hours_are_valid(const struct quiet_hours *quiet)
{
    int length = (quiet->to_min - quiet->from_min + DAY_MIN) % DAY_MIN;
    return quiet->from_min < DAY_MIN && quiet->to_min < DAY_MIN && length <= QUIET_LONGEST_MIN &&
           quiet->offset_min >= QUIET_OFFSET_MIN_MIN && quiet->offset_min <= QUIET_OFFSET_MAX_MIN;
}

int64_t quiet_hours_postpone_to_end_ms(const struct quiet_hours *quiet, int64_t at_ms)
{
    int64_t day_ms = DAY_MIN * MINUTE_MS;
    int64_t local_ms = at_ms + quiet->offset_min * MINUTE_MS;
    int64_t of_day_ms = (local_ms % day_ms + day_ms) % day_ms;
    int64_t length_ms = (quiet->to_min - quiet->from_min + DAY_MIN) % DAY_MIN * MINUTE_MS;
    int64_t into_ms = (of_day_ms - quiet->from_min * MINUTE_MS + day_ms) % day_ms;
    return into_ms < length_ms ? at_ms + length_ms - into_ms : at_ms;
}

void table_clock_init(struct table_clock *clock, const struct clock_rule *rule)
{
    *clock = (struct table_clock){.rule = *rule};
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        clock->seats[seat].due_ms = INT64_MAX;
        clock->seats[seat].bank_ms =
            clock_rule_has_time_bank(rule) ? 1000 * (int64_t)rule->time_s : 0;
    }
}

int64_t table_clock_full_turn_ms(const struct table_clock *clock, int seat)
{
    int64_t time_ms = clock_rule_has_time_bank(&clock->rule) ? clock->seats[seat].bank_ms
                                                             : 1000 * (int64_t)clock->rule.time_s;
    return time_ms < CLOCK_TURN_LEAST_MS ? CLOCK_TURN_LEAST_MS : time_ms;
}

void table_clock_begin_turn(struct table_clock *clock, int seat,
                            const struct player_time_off *player, int64_t at_ms)
{
    struct storage_clock *own = &clock->seats[seat];
    bool is_on_vacation =
        !clock_rule_is_for_one_sitting(&clock->rule) && player->vacation_ms > at_ms;
    int64_t from_ms = is_on_vacation ? player->vacation_ms : at_ms;
    own->is_running = true;
    own->since_ms = at_ms;
    own->due_ms = clock->rule.kind == CLOCK_NONE ? INT64_MAX
                                                 : from_ms + table_clock_full_turn_ms(clock, seat);
}

int64_t table_clock_left_in_bank_ms(const struct table_clock *clock, int seat, int64_t now_ms)
{
    const struct storage_clock *own = &clock->seats[seat];
    if (!own->is_running || !clock_rule_has_time_bank(&clock->rule)) {
        return own->bank_ms;
    }
    int64_t at_ms = clock->stopped_ms == 0 ? now_ms : clock->stopped_ms;
    int64_t used_ms = at_ms > own->since_ms ? at_ms - own->since_ms : 0;
    int64_t left_ms = own->bank_ms - used_ms;
    return left_ms > 0 ? left_ms : 0;
}

void table_clock_end_turn(struct table_clock *clock, int seat, int64_t at_ms)
{
    struct storage_clock *own = &clock->seats[seat];
    if (own->is_running && clock_rule_has_time_bank(&clock->rule)) {
        own->bank_ms = table_clock_left_in_bank_ms(clock, seat, at_ms) +
                       1000 * (int64_t)clock->rule.increment_s;
    }
    own->is_running = false;
    own->due_ms = INT64_MAX;
}

void table_clock_stop_all(struct table_clock *clock, int64_t at_ms)
{
    if (clock->stopped_ms == 0) {
        clock->stopped_ms = at_ms;
    }
}

void table_clock_skip_time(struct table_clock *clock, int64_t from_ms, int64_t to_ms)
{
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        struct storage_clock *own = &clock->seats[seat];
        int64_t since_ms = own->since_ms > from_ms ? own->since_ms : from_ms;
        if (!own->is_running || to_ms <= since_ms) {
            continue;
        }
        own->since_ms += to_ms - since_ms;
        table_clock_move_deadline(clock, seat, to_ms - since_ms);
    }
}

void table_clock_resume_all(struct table_clock *clock, int64_t at_ms)
{
    if (clock->stopped_ms != 0) {
        table_clock_skip_time(clock, clock->stopped_ms, at_ms);
        clock->stopped_ms = 0;
    }
}

void table_clock_move_deadline(struct table_clock *clock, int seat, int64_t by_ms)
{
    struct storage_clock *own = &clock->seats[seat];
    if (own->is_running && own->due_ms != INT64_MAX) {
        own->due_ms += by_ms;
    }
}

void table_clock_extend_deadline(struct table_clock *clock, int seat, int64_t until_ms)
{
    struct storage_clock *own = &clock->seats[seat];
    if (own->is_running && own->due_ms < until_ms) {
        own->due_ms = until_ms;
    }
}

/* Returns the seat's deadline if stopped clocks resumed now. */
static int64_t deadline_if_resumed_ms(const struct table_clock *clock, int seat,
                                      const struct player_time_off *player)
{
    const struct storage_clock *own = &clock->seats[seat];
    if (!own->is_running || own->due_ms == INT64_MAX) {
        return INT64_MAX;
    }
    if (clock_rule_is_for_one_sitting(&clock->rule)) {
        return own->due_ms;
    }
    int64_t due_ms = own->due_ms > player->respite_ms ? own->due_ms : player->respite_ms;
    return quiet_hours_postpone_to_end_ms(&player->quiet, due_ms);
}

int64_t table_clock_deadline_ms(const struct table_clock *clock, int seat,
                                const struct player_time_off *player)
{
    return clock->stopped_ms != 0 ? INT64_MAX : deadline_if_resumed_ms(clock, seat, player);
}

int64_t table_clock_turn_left_ms(const struct table_clock *clock, int seat,
                                 const struct player_time_off *player, int64_t now_ms)
{
    int64_t ends_ms = deadline_if_resumed_ms(clock, seat, player);
    int64_t at_ms = clock->stopped_ms == 0 ? now_ms : clock->stopped_ms;
    if (ends_ms == INT64_MAX) {
        return INT64_MAX;
    }
    return ends_ms > at_ms ? ends_ms - at_ms : 0;
}

/* Returns when the stored respite from deadlines ends, in unix ms; 0: there is none. */
static int64_t deadline_respite_end_ms(const struct storage_time_away *time)
{
    return time->respite_ms == 0 ? 0 : time->respite_ms + RESPITE_MS;
}

/* True when the player is not in the house or has been idle. A player who is in the house and
 * active misses a deadline on purpose, and gets no respite from deadlines. */
static bool player_is_absent(const struct house *house, const char *name)
{
    const struct person *person = person_find(house, name);
    return !person_is_in_house(person) || house->now_ms - person->active_ms >= PACE_IDLE_MS;
}

static void announce_deadline_respite(struct house *house, const struct storage_seat *holder)
{
    TABLES_EACH(table, house) {
        if (table_is_turn_by_turn(table) && table_times_find_seat(table, holder->account) >= 0) {
            chat_announce_at_table(house, table,
                                   say(_("%s missed a deadline while away: their turn-by-turn "
                                         "games wait for them now, for a week at most."),
                                       holder->name));
        }
    }
}

/* Begins a respite from deadlines for the player on this seat, who has missed a deadline of a
 * turn-by-turn game, if the player is entitled to one. */
static void deadline_respite_begin(struct house *house, const struct storage_seat *holder)
{
    struct storage_time_away time = {.account = holder->account};
    if (holder->account == 0 || !player_is_absent(house, holder->name)) {
        return;
    }
    bool is_known = stored(house, storage_time_away_read(house->storage, holder->account, &time));
    if (is_known && time.respite_ms != 0) {
        return;
    }
    time.respite_ms = house->now_ms;
    stored_or_fail(house, storage_time_away_save(house->storage, &time));
    table_times_reread_time_off(house, holder->account);
    announce_deadline_respite(house, holder);
}

/* Extends the player's deadlines at all tables, so that no deadline passes at the moment when the
 * respite ends. */
static void extend_deadlines_of_player(struct house *house, int64_t account)
{
    TABLES_EACH(table, house) {
        int seat = table_is_turn_by_turn(table) ? table_times_find_seat(table, account) : -1;
        if (seat >= 0) {
            table_clock_extend_deadline(&table->clock, seat, house->now_ms + RESPITE_RETURN_MS);
        }
    }
}

void deadline_respite_end(struct house *house, int64_t account)
{
    struct storage_time_away time;
    if (house->is_read_only || account == 0) {
        return; /* the end of the respite is stored once the disk has room */
    }
    if (!stored(house, storage_time_away_read(house->storage, account, &time)) ||
        time.respite_ms == 0) {
        return;
    }
    time.respite_ms = 0;
    stored_or_fail(house, storage_time_away_save(house->storage, &time));
    extend_deadlines_of_player(house, account);
    table_times_reread_time_off(house, account);
}

#define MINUTES_MAX 1439

bool quiet_hours_from_json(const json_t *value, struct quiet_hours *quiet)
{
    int64_t from = 0;
    int64_t to = 0;
    int64_t offset = 0;
    if (json_is_null(value)) {
        *quiet = (struct quiet_hours){0};
        return true;
    }
    if (!json_read_number(value, "from_min", 0, MINUTES_MAX, &from) ||
        !json_read_number(value, "to_min", 0, MINUTES_MAX, &to) ||
        !json_read_number(value, "offset_min", QUIET_OFFSET_MIN_MIN, QUIET_OFFSET_MAX_MIN,
                          &offset)) {
        return false;
    }
    struct quiet_hours read = {(uint16_t)from, (uint16_t)to, (int16_t)offset};
    if (!quiet_hours_are_valid(&read)) {
        return false;
    }
    *quiet = read;
    return true;
}

static struct player_time_off read_time_off(struct house *house, int64_t account)
{
    struct player_time_off time = {0};
    struct storage_account row;
    struct storage_time_away stored_time;
    if (account == 0 || !stored(house, storage_account_by_id(house->storage, account, &row))) {
        return time;
    }
    json_t *settings = json_loads(row.settings, 0, NULL);
    (void)quiet_hours_from_json(json_object_get(settings, "quiet"), &time.quiet);
    json_decref(settings);
    if (stored(house, storage_time_away_read(house->storage, account, &stored_time))) {
        time.vacation_ms = stored_time.vacation_ms;
        time.respite_ms = deadline_respite_end_ms(&stored_time);
    }
    return time;
}

void table_times_read_time_off(struct house *house, struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        bool is_player = holder->holder == STORAGE_SEAT_PLAYER;
        table->plays[seat].time = read_time_off(house, is_player ? holder->account : 0);
    }
}

/* Returns the account's seat in the current game; -1: none. */
static int table_times_find_seat(const struct table *table, int64_t account)
{
    for (int seat = 0; table_is_playing(table) && seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        if (holder->holder == STORAGE_SEAT_PLAYER && holder->account == account) {
            return seat;
        }
    }
    return -1;
}

void table_times_reread_time_off(struct house *house, int64_t account)
{
    struct player_time_off time = read_time_off(house, account);
    TABLES_EACH(table, house) {
        int seat = table_times_find_seat(table, account);
        if (seat >= 0) {
            table->plays[seat].time = time;
            table_touch(house, table);
        }
    }
}

/* Returns how long a game without a clock waits for an absent player: as configured, or a day when
 * all players are away. No game waits a day for guests, since they cannot return. */
static int64_t absence_grace_ms(const struct house *house, const struct table *table, int seat)
{
    if (table->row.seats[seat].holder == STORAGE_SEAT_GUEST ||
        table_seats_in_house(house, table) != 0) {
        return 1000 * (int64_t)house->config.play_absent_grace_s;
    }
    return PACE_ALL_AWAY_MS;
}

static int64_t choose_later_time_ms(int64_t first_ms, int64_t second_ms)
{
    return first_ms > second_ms ? first_ms : second_ms;
}

int64_t table_times_timeout_at_ms(const struct house *house, const struct table *table, int seat)
{
    int64_t gone_ms = table->gone_ms[seat];
    if (table->row.halt != STORAGE_HALT_NONE) {
        return INT64_MAX;
    }
    if (table->clock.rule.kind == CLOCK_NONE) {
        int64_t from_ms = choose_later_time_ms(gone_ms, table->clock.seats[seat].since_ms);
        return gone_ms == 0 ? INT64_MAX : from_ms + absence_grace_ms(house, table, seat);
    }
    int64_t due_ms = table_clock_deadline_ms(&table->clock, seat, &table->plays[seat].time);
    bool has_grace = clock_rule_is_for_one_sitting(&table->clock.rule) && gone_ms != 0 &&
                     !table->clock.seats[seat].is_grace_spent;
    int64_t grace_ms = gone_ms + 1000 * (int64_t)house->config.play_absent_grace_s;
    return has_grace ? choose_later_time_ms(due_ms, grace_ms) : due_ms;
}

static void give_seat_to_bot(struct house *house, struct table *table, int seat)
{
    struct storage_seat *holder = &table->row.seats[seat];
    holder->is_absent = true;
    chat_announce_at_table(house, table,
                           say(_("%s is away: a bot plays until they are back."), holder->name));
}

void table_times_let_bot_play(struct house *house, struct table *table, int seat)
{
    struct storage_clock *clock = &table->clock.seats[seat];
    bool is_live = clock_rule_is_for_one_sitting(&table->clock.rule);
    bool is_gone = is_live && table->gone_ms[seat] != 0;
    int limit = is_live ? TIMES_MISSES_LIVE : TIMES_MISSES_DAYS;
    clock->is_grace_spent = clock->is_grace_spent || is_gone;
    clock->misses = (uint8_t)(clock->misses < UINT8_MAX ? clock->misses + 1 : UINT8_MAX);
    if (is_gone || clock->misses >= limit) {
        give_seat_to_bot(house, table, seat);
    } else {
        table->plays[seat].is_out_of_time = true;
    }
    if (!is_live) {
        deadline_respite_begin(house, &table->row.seats[seat]);
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
