#include "lobby/tables/tables.h"

#include "lobby/protocol/protocol.h"

#define MINUTE_MS INT64_C(60000)
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
    const struct clock_bank *bank = clock_type_of(clock->rule.kind)->bank;
    int64_t time_ms = bank != NULL ? bank->turn_ms(&clock->rule, clock->seats[seat].bank_ms)
                                   : 1000 * (int64_t)clock->rule.time_s;
    return time_ms < CLOCK_TURN_LEAST_MS ? CLOCK_TURN_LEAST_MS : time_ms;
}

void table_clock_begin_turn(struct table_clock *clock, int seat,
                            const struct player_time_off *player, int64_t at_ms)
{
    struct clock_seat *own = &clock->seats[seat];
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
    const struct clock_seat *own = &clock->seats[seat];
    const struct clock_bank *bank = clock_type_of(clock->rule.kind)->bank;
    if (!own->is_running || bank == NULL) {
        return own->bank_ms;
    }
    int64_t at_ms = clock->stopped_ms == 0 ? now_ms : clock->stopped_ms;
    int64_t used_ms = at_ms > own->since_ms ? at_ms - own->since_ms : 0;
    int64_t left_ms = bank->turn_ms(&clock->rule, own->bank_ms) - used_ms;
    if (left_ms > own->bank_ms) {
        return own->bank_ms;
    }
    return left_ms > 0 ? left_ms : 0;
}

void table_clock_end_turn(struct table_clock *clock, int seat, int64_t at_ms)
{
    struct clock_seat *own = &clock->seats[seat];
    const struct clock_bank *bank = clock_type_of(clock->rule.kind)->bank;
    if (own->is_running && bank != NULL) {
        own->bank_ms =
            bank->moved_ms(&clock->rule, table_clock_left_in_bank_ms(clock, seat, at_ms));
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
        struct clock_seat *own = &clock->seats[seat];
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
    struct clock_seat *own = &clock->seats[seat];
    if (own->is_running && own->due_ms != INT64_MAX) {
        own->due_ms += by_ms;
    }
}

void table_clock_extend_deadline(struct table_clock *clock, int seat, int64_t until_ms)
{
    struct clock_seat *own = &clock->seats[seat];
    if (own->is_running && own->due_ms < until_ms) {
        own->due_ms = until_ms;
    }
}

/* Returns the seat's deadline if stopped clocks resumed now. */
static int64_t deadline_if_resumed_ms(const struct table_clock *clock, int seat,
                                      const struct player_time_off *player)
{
    const struct clock_seat *own = &clock->seats[seat];
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
