#include "lobby/tables/tables.h"
#include "tests/unit.h"

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define NOON (INT64_C(20000) * DAY + 12 * HOUR) /* noon of a day, UTC */

static const struct player_time_off nothing_special = {.vacation_ms = 0};

static struct table_clock make_clock_with_rule(const char *text)
{
    struct clock_rule rule;
    struct table_clock clock;
    assert_true(clock_rule_parse(text, &rule));
    table_clock_init(&clock, &rule);
    return clock;
}

static int64_t get_time_left_ms(const struct table_clock *clock, int seat, int64_t now_ms)
{
    return table_clock_turn_left_ms(clock, seat, &nothing_special, now_ms);
}

static int64_t get_deadline_ms(const struct table_clock *clock, int seat)
{
    return table_clock_deadline_ms(clock, seat, &nothing_special);
}

static void without_a_clock_a_turn_never_times_out(void **state)
{
    (void)state;
    struct table_clock clock = make_clock_with_rule("none");
    table_clock_begin_turn(&clock, 0, &nothing_special, NOON);
    assert_true(get_deadline_ms(&clock, 0) == INT64_MAX);
    assert_true(get_time_left_ms(&clock, 0, NOON + 100 * DAY) == INT64_MAX);
    table_clock_stop_all(&clock, NOON + 1);
    table_clock_resume_all(&clock, NOON + DAY);
    assert_true(get_deadline_ms(&clock, 0) == INT64_MAX);
}

static void a_move_clock_gives_each_move_its_time_and_runs_only_on_the_players_turn(void **state)
{
    (void)state;
    struct table_clock clock = make_clock_with_rule("30s");
    assert_true(get_deadline_ms(&clock, 0) == INT64_MAX);
    table_clock_begin_turn(&clock, 0, &nothing_special, NOON);
    assert_true(get_deadline_ms(&clock, 0) == NOON + 30 * SECOND);
    assert_true(get_time_left_ms(&clock, 0, NOON + 12 * SECOND) == 18 * SECOND);
    assert_true(get_time_left_ms(&clock, 0, NOON + 31 * SECOND) == 0);
    table_clock_end_turn(&clock, 0, NOON + 20 * SECOND);
    assert_true(get_deadline_ms(&clock, 0) == INT64_MAX);
    table_clock_begin_turn(&clock, 0, &nothing_special, NOON + HOUR);
    assert_true(get_time_left_ms(&clock, 0, NOON + HOUR) == 30 * SECOND);
}

static void a_turn_takes_the_time_used_from_the_bank_and_adds_the_increment(void **state)
{
    (void)state;
    struct table_clock clock = make_clock_with_rule("1m+5s");
    table_clock_begin_turn(&clock, 2, &nothing_special, NOON);
    assert_true(get_deadline_ms(&clock, 2) == NOON + MINUTE);
    assert_true(table_clock_left_in_bank_ms(&clock, 2, NOON + 20 * SECOND) == 40 * SECOND);
    table_clock_end_turn(&clock, 2, NOON + 20 * SECOND);
    assert_true(table_clock_left_in_bank_ms(&clock, 2, NOON + DAY) == 45 * SECOND);
    assert_true(table_clock_left_in_bank_ms(&clock, 1, NOON + DAY) == MINUTE);
    table_clock_begin_turn(&clock, 2, &nothing_special, NOON + HOUR);
    assert_true(table_clock_full_turn_ms(&clock, 2) == 45 * SECOND);
    assert_true(get_deadline_ms(&clock, 2) == NOON + HOUR + 45 * SECOND);
    /* A move quicker than the increment lets the bank grow. */
    table_clock_end_turn(&clock, 2, NOON + HOUR + SECOND);
    assert_true(table_clock_left_in_bank_ms(&clock, 2, NOON + HOUR) == 49 * SECOND);
}

static void an_empty_bank_still_gives_every_turn_a_few_seconds(void **state)
{
    (void)state;
    struct table_clock clock = make_clock_with_rule("30s+0s");
    table_clock_begin_turn(&clock, 0, &nothing_special, NOON);
    table_clock_end_turn(&clock, 0, NOON + 40 * SECOND);
    assert_true(table_clock_left_in_bank_ms(&clock, 0, NOON) == 0);
    table_clock_begin_turn(&clock, 0, &nothing_special, NOON + HOUR);
    assert_true(get_deadline_ms(&clock, 0) == NOON + HOUR + CLOCK_TURN_LEAST_MS);
    table_clock_end_turn(&clock, 0, NOON + HOUR + SECOND);
    assert_true(table_clock_left_in_bank_ms(&clock, 0, NOON) == 0);
}

static void several_seats_may_move_at_once(void **state)
{
    (void)state;
    struct table_clock clock = make_clock_with_rule("30s");
    table_clock_begin_turn(&clock, 0, &nothing_special, NOON);
    table_clock_begin_turn(&clock, 1, &nothing_special, NOON + 10 * SECOND);
    table_clock_end_turn(&clock, 0, NOON + 15 * SECOND);
    assert_true(get_deadline_ms(&clock, 0) == INT64_MAX);
    assert_true(get_deadline_ms(&clock, 1) == NOON + 40 * SECOND);
}

static void while_a_game_is_halted_no_clock_runs(void **state)
{
    (void)state;
    static const char *const kinds[] = {"30s", "10m+5s", "2d"};
    for (size_t i = 0; i < 3; i++) {
        struct table_clock clock = make_clock_with_rule(kinds[i]);
        table_clock_begin_turn(&clock, 0, &nothing_special, NOON);
        int64_t before_ms = get_time_left_ms(&clock, 0, NOON + 7 * SECOND);
        int64_t bank_ms = table_clock_left_in_bank_ms(&clock, 0, NOON + 7 * SECOND);
        table_clock_stop_all(&clock, NOON + 7 * SECOND);
        assert_true(get_deadline_ms(&clock, 0) == INT64_MAX);
        assert_true(get_time_left_ms(&clock, 0, NOON + 3 * DAY) == before_ms);
        assert_true(table_clock_left_in_bank_ms(&clock, 0, NOON + 3 * DAY) == bank_ms);
        table_clock_stop_all(&clock, NOON + DAY);
        table_clock_resume_all(&clock, NOON + 3 * DAY);
        table_clock_resume_all(&clock, NOON + 9 * DAY);
        assert_true(get_time_left_ms(&clock, 0, NOON + 3 * DAY) == before_ms);
        assert_true(table_clock_left_in_bank_ms(&clock, 0, NOON + 3 * DAY) == bank_ms);
        assert_true(get_time_left_ms(&clock, 0, NOON + 3 * DAY + SECOND) == before_ms - SECOND);
    }
}

static void a_turn_that_begins_during_a_halt_loses_no_time(void **state)
{
    (void)state;
    struct table_clock clock = make_clock_with_rule("1m+0s");
    table_clock_begin_turn(&clock, 0, &nothing_special, NOON + 10 * SECOND);
    table_clock_skip_time(&clock, NOON, NOON + HOUR);
    assert_true(get_time_left_ms(&clock, 0, NOON + HOUR) == MINUTE);
    assert_true(table_clock_left_in_bank_ms(&clock, 0, NOON + HOUR) == MINUTE);
    table_clock_skip_time(&clock, NOON, NOON - HOUR); /* the machine's clock was set back */
    assert_true(get_time_left_ms(&clock, 0, NOON + HOUR) == MINUTE);
}

static void extending_a_deadline_never_makes_it_earlier(void **state)
{
    (void)state;
    struct table_clock clock = make_clock_with_rule("30s");
    table_clock_move_deadline(&clock, 0, DAY);
    table_clock_extend_deadline(&clock, 0, NOON + DAY);
    assert_true(get_deadline_ms(&clock, 0) == INT64_MAX);
    table_clock_begin_turn(&clock, 0, &nothing_special, NOON);
    table_clock_extend_deadline(&clock, 0, NOON + 10 * SECOND);
    assert_true(get_deadline_ms(&clock, 0) == NOON + 30 * SECOND);
    table_clock_extend_deadline(&clock, 0, NOON + MINUTE);
    assert_true(get_deadline_ms(&clock, 0) == NOON + MINUTE);
    table_clock_move_deadline(&clock, 0, -SECOND);
    assert_true(get_deadline_ms(&clock, 0) == NOON + 59 * SECOND);
}

/* Tries every minute of two days, with quiet hours that span midnight, in time zones east and west
 * of Greenwich. */
static void quiet_hours_move_a_deadline_to_their_end(void **state)
{
    (void)state;
    static const struct quiet_hours all[] = {
        {22 * 60, 8 * 60, 0},    {22 * 60, 8 * 60, 60},  {22 * 60, 8 * 60, -300}, {0, 6 * 60, 330},
        {9 * 60, 17 * 60, -720}, {23 * 60 + 59, 0, 840}, {12 * 60, 12 * 60, 60},  {0, 0, 0},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const struct quiet_hours *quiet = &all[i];
        assert_true(quiet_hours_are_valid(quiet));
        for (int64_t at = NOON; at < NOON + 2 * DAY; at += MINUTE) {
            int minute = (int)((at / MINUTE + quiet->offset_min) % 1440);
            bool is_over_midnight = quiet->from_min > quiet->to_min;
            bool is_quiet = is_over_midnight ? minute >= quiet->from_min || minute < quiet->to_min
                                             : minute >= quiet->from_min && minute < quiet->to_min;
            int64_t end = quiet_hours_postpone_to_end_ms(quiet, at);
            if (!is_quiet) {
                assert_true(end == at);
                continue;
            }
            assert_true(end > at && end - at <= 12 * HOUR);
            assert_int_equal((end / MINUTE + quiet->offset_min) % 1440, quiet->to_min);
            assert_true(quiet_hours_postpone_to_end_ms(quiet, end) == end);
            assert_true(quiet_hours_postpone_to_end_ms(quiet, at + 1) == end);
        }
    }
}

static void quiet_hours_are_at_most_half_the_day(void **state)
{
    (void)state;
    static const struct quiet_hours bad[] = {{8 * 60, 22 * 60, 0}, {0, 721, 0},  {1440, 0, 0},
                                             {0, 1440, 0},         {0, 60, 841}, {0, 60, -721}};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(quiet_hours_are_valid(&bad[i]));
    }
}

static void a_deadline_never_falls_into_quiet_hours(void **state)
{
    (void)state;
    const struct player_time_off sleeper = {.quiet = {11 * 60, 20 * 60, 60}};
    struct table_clock clock = make_clock_with_rule("2d");
    table_clock_begin_turn(&clock, 0, &sleeper, NOON);
    assert_true(table_clock_deadline_ms(&clock, 0, &sleeper) == NOON + 2 * DAY + 7 * HOUR);
    assert_true(table_clock_turn_left_ms(&clock, 0, &sleeper, NOON) == 2 * DAY + 7 * HOUR);
    /* Changing the quiet hours repeatedly gains no time: they always move the move's original
     * deadline. */
    assert_true(get_deadline_ms(&clock, 0) == NOON + 2 * DAY);
    /* Live games ignore quiet hours. */
    struct table_clock live = make_clock_with_rule("30s");
    table_clock_begin_turn(&live, 0, &sleeper, NOON);
    assert_true(table_clock_deadline_ms(&live, 0, &sleeper) == NOON + 30 * SECOND);
}

static void a_turn_that_begins_on_vacation_has_its_full_time_afterwards(void **state)
{
    (void)state;
    const struct player_time_off away = {.vacation_ms = NOON + 3 * DAY};
    struct table_clock clock = make_clock_with_rule("2d");
    table_clock_begin_turn(&clock, 0, &away, NOON + DAY);
    assert_true(table_clock_deadline_ms(&clock, 0, &away) == NOON + 5 * DAY);
    table_clock_begin_turn(&clock, 1, &away, NOON + 4 * DAY);
    assert_true(table_clock_deadline_ms(&clock, 1, &away) == NOON + 6 * DAY);
    struct table_clock live = make_clock_with_rule("30s");
    table_clock_begin_turn(&live, 0, &away, NOON);
    assert_true(get_deadline_ms(&live, 0) == NOON + 30 * SECOND);
}

static void a_vacation_moves_a_deadline_and_ending_it_early_moves_it_back(void **state)
{
    (void)state;
    struct table_clock clock = make_clock_with_rule("2d");
    table_clock_begin_turn(&clock, 0, &nothing_special, NOON);
    /* Three days of vacation from NOON + 1 d on, ended after one of them. */
    table_clock_move_deadline(&clock, 0, 3 * DAY);
    assert_true(get_deadline_ms(&clock, 0) == NOON + 5 * DAY);
    table_clock_move_deadline(&clock, 0, -2 * DAY);
    assert_true(get_time_left_ms(&clock, 0, NOON + 2 * DAY) == DAY);
}

/* A player's remaining time, counted second by second. */
struct counted {
    bool is_running;
    int64_t turn_s; /* time left of this turn */
    int64_t bank_s; /* time left in the bank */
};

#define COUNTED 3

/* Makes a random change to the clock, or none. While the clocks are stopped, time is not skipped
 * and no turn begins or ends. */
static void change_clock_at_random(struct table_clock *clock, struct counted *counted_seats,
                                   struct quick_random *random, int64_t *now_ms)
{
    int seat = (int)quick_random_draw_below(random, COUNTED);
    unsigned what = quick_random_draw_below(random, 20);
    struct counted *own = &counted_seats[seat];
    bool goes = clock->stopped_ms == 0;
    if (what == 0) {
        table_clock_stop_all(clock, *now_ms);
    } else if (what <= 2) {
        table_clock_resume_all(clock, *now_ms);
    } else if (what == 3 && goes) {
        int64_t away_ms = SECOND * quick_random_draw_below(random, 100000);
        table_clock_skip_time(clock, *now_ms, *now_ms + away_ms);
        *now_ms += away_ms;
    } else if (what <= 6 && goes && !own->is_running) {
        table_clock_begin_turn(clock, seat, &nothing_special, *now_ms);
        own->is_running = true;
        own->turn_s = table_clock_full_turn_ms(clock, seat) / SECOND;
    } else if (what <= 8 && goes && own->is_running) {
        table_clock_end_turn(clock, seat, *now_ms);
        own->is_running = false;
        own->bank_s += clock->rule.increment_s;
    }
}

static void assert_clock_equals_counted_time(const struct table_clock *clock, int seat,
                                             const struct counted *counted, int64_t now_ms)
{
    if (counted->is_running) {
        assert_true(get_time_left_ms(clock, seat, now_ms) == counted->turn_s * SECOND);
    }
    if (clock_rule_has_time_bank(&clock->rule)) {
        assert_true(table_clock_left_in_bank_ms(clock, seat, now_ms) == counted->bank_s * SECOND);
    }
}

static void count_one_second(const struct table_clock *clock, struct counted *counted)
{
    bool is_used = counted->is_running && clock->stopped_ms == 0;
    counted->turn_s -= is_used && counted->turn_s > 0;
    counted->bank_s -= is_used && counted->bank_s > 0;
}

/* Changes clocks at random and compares them with a count of the seconds during which each clock
 * runs. */
static void a_clock_agrees_with_a_count_of_its_seconds(void **state)
{
    (void)state;
    static const char *const kinds[] = {"20s", "40s+3s", "2d"};
    struct quick_random random;
    quick_random_init(&random, 20261120);
    for (int run = 0; run < 300; run++) {
        struct table_clock clock = make_clock_with_rule(kinds[run % 3]);
        struct counted counted[COUNTED] = {{.bank_s = 40}, {.bank_s = 40}, {.bank_s = 40}};
        int64_t now_ms = NOON;
        for (int i = 0; i < 400 * COUNTED; i++) {
            if (i % COUNTED == 0) {
                now_ms += SECOND;
                change_clock_at_random(&clock, counted, &random, &now_ms);
            }
            assert_clock_equals_counted_time(&clock, i % COUNTED, &counted[i % COUNTED], now_ms);
            count_one_second(&clock, &counted[i % COUNTED]);
        }
    }
}

TEST_GROUP(table_clock)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_clock_a_turn_never_times_out),
        cmocka_unit_test(a_move_clock_gives_each_move_its_time_and_runs_only_on_the_players_turn),
        cmocka_unit_test(a_turn_takes_the_time_used_from_the_bank_and_adds_the_increment),
        cmocka_unit_test(an_empty_bank_still_gives_every_turn_a_few_seconds),
        cmocka_unit_test(several_seats_may_move_at_once),
        cmocka_unit_test(while_a_game_is_halted_no_clock_runs),
        cmocka_unit_test(a_turn_that_begins_during_a_halt_loses_no_time),
        cmocka_unit_test(extending_a_deadline_never_makes_it_earlier),
        cmocka_unit_test(a_clock_agrees_with_a_count_of_its_seconds),
        cmocka_unit_test(quiet_hours_move_a_deadline_to_their_end),
        cmocka_unit_test(quiet_hours_are_at_most_half_the_day),
        cmocka_unit_test(a_deadline_never_falls_into_quiet_hours),
        cmocka_unit_test(a_turn_that_begins_on_vacation_has_its_full_time_afterwards),
        cmocka_unit_test(a_vacation_moves_a_deadline_and_ending_it_early_moves_it_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
