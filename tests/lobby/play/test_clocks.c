#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "lobby/house/parts.h"
#include "tests/unit.h"

#include <inttypes.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

/* Begins a game of Ada and a guest; bots play for both when their time runs out. */
static int64_t begin_game_with_guest(struct driver *driver, int clock_s)
{
    driver_sign_up(driver, ADA, "ada");
    driver_enter_as_guest(driver, BOB);
    int64_t table = driver_open_table(driver, ADA, 3, clock_s);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    return table;
}

static int64_t read_step_of_newest_view(const struct driver *driver, int64_t conn)
{
    return driver_read_number(json_object_get(driver_newest_message(driver, conn, "view"), "view"),
                              "step");
}

/* Lets bots move until it is a person's turn. */
static void let_bots_move_until_a_persons_turn(struct driver *driver)
{
    int64_t step = -1;
    while (step != read_step_of_newest_view(driver, ADA)) {
        step = read_step_of_newest_view(driver, ADA);
        driver_pass_time(driver, 500);
    }
}

static void when_a_players_time_is_up_a_bot_makes_one_move(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_with_guest(driver, 10);
    let_bots_move_until_a_persons_turn(driver);
    int64_t step = read_step_of_newest_view(driver, ADA);
    const json_t *clock = json_object_get(driver_newest_message(driver, ADA, "view"), "clock");
    int64_t read_time_left_on_turn_ms = driver_read_number(clock, "left_ms");
    assert_in_range(read_time_left_on_turn_ms, 1, 10000);
    driver_pass_time(driver, 8000);
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
    driver_pass_time(driver, 2500);
    assert_true(read_step_of_newest_view(driver, ADA) > step);
    assert_true(driver_count_messages_with_words(driver, ADA, "chat", "ran out of time"));
    const json_t *seats = json_object_get(driver_newest_message(driver, ADA, "table"), "seats");
    for (size_t seat = 0; seat < 2; seat++) {
        assert_true(json_is_false(json_object_get(json_array_get(seats, seat), "played_by_bot")));
    }
}

static void a_game_with_a_clock_ends_though_nobody_plays(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_with_guest(driver, 5);
    driver_disconnect(driver, BOB);
    for (int i = 0; i < 6000 && driver_newest_message(driver, ADA, "result") == NULL; i++) {
        driver_pass_time(driver, 1000);
    }
    assert_non_null(driver_newest_message(driver, ADA, "result"));
}

/* Returns the time left for the player whose turn it is; -1 without a clock. */
static int64_t read_time_left_on_turn_ms(struct driver *driver, int64_t table)
{
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    const json_t *clock = json_object_get(driver_newest_message(driver, ADA, "view"), "clock");
    return driver_read_number(clock, "left_ms");
}

/* The first thing that the core does after it stood still. */
enum first_event {
    FIRST_IS_TICK,
    FIRST_IS_MESSAGE,
    FIRST_IS_CONNECTION,
    FIRST_IS_DISCONNECTION,
    FIRST_EVENT_COUNT,
};

static void cause_first_event_after_standstill(struct driver *driver, enum first_event event)
{
    switch (event) {
    case FIRST_IS_TICK:
        driver->result = house_tick(driver->house, driver->now_ms);
        driver_commit(driver);
        return;
    case FIRST_IS_MESSAGE:
        driver_ok(driver, ADA, "{'t':'ping'}");
        return;
    case FIRST_IS_CONNECTION:
        driver_connect(driver, BOB + 1, PEER_SESSION);
        return;
    case FIRST_IS_DISCONNECTION:
        driver_disconnect(driver, BOB + 1);
        return;
    case FIRST_EVENT_COUNT:
        break;
    }
}

static void no_players_clock_loses_time_while_the_house_stands_still(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game_with_guest(driver, 10);
    let_bots_move_until_a_persons_turn(driver);
    int64_t step = read_step_of_newest_view(driver, ADA);
    int64_t before_ms = read_time_left_on_turn_ms(driver, table);
    assert_in_range(before_ms, 8000, 10000);
    for (int event = 0; event < FIRST_EVENT_COUNT; event++) {
        driver->now_ms += 12000;
        cause_first_event_after_standstill(driver, (enum first_event)event);
        driver_pass_time(driver, 0);
        assert_int_equal(read_step_of_newest_view(driver, ADA), step);
        int64_t after_ms = read_time_left_on_turn_ms(driver, table);
        assert_int_equal(after_ms, before_ms);
    }
    driver_pass_time(driver, 10000);
    assert_true(read_step_of_newest_view(driver, ADA) > step);
}

static void a_core_that_wakes_slightly_late_gives_no_clock_time_back(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game_with_guest(driver, 30);
    let_bots_move_until_a_persons_turn(driver);
    int64_t before_ms = read_time_left_on_turn_ms(driver, table);
    driver->now_ms += DOWNTIME_LATE_MS;
    cause_first_event_after_standstill(driver, FIRST_IS_TICK);
    assert_int_equal(read_time_left_on_turn_ms(driver, table), before_ms - DOWNTIME_LATE_MS);
}

static void the_wait_for_an_absent_player_excludes_time_in_which_the_house_stood_still(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_with_guest(driver, 0);
    driver_disconnect(driver, ADA);
    static const int64_t bob[] = {BOB};
    (void)driver_play_moves(driver, bob, 1, 20); /* Bob plays until it is Ada's turn */
    int64_t step = read_step_of_newest_view(driver, BOB);
    int64_t waits_ms = house_next_tick_ms(driver->house) - driver->now_ms;
    assert_in_range(waits_ms, 1, 60000);
    driver_pass_time(driver, waits_ms - 10);
    driver->now_ms += 3600000;
    cause_first_event_after_standstill(driver, FIRST_IS_TICK);
    assert_int_equal(read_step_of_newest_view(driver, BOB), step);
    driver_pass_time(driver, 1000);
    assert_true(driver_count_messages_with_words(driver, BOB, "chat", "is away"));
}

static void without_a_clock_present_players_have_unlimited_time(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_with_guest(driver, 0);
    let_bots_move_until_a_persons_turn(driver);
    int64_t step = read_step_of_newest_view(driver, ADA);
    driver_pass_time(driver, 3600000);
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
}

static void without_a_clock_a_bot_plays_for_absent_players_until_they_return(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game_with_guest(driver, 0);
    driver_ok(driver, BOB, "{'t':'ping'}");
    driver_disconnect(driver, ADA);
    static const int64_t bob[] = {BOB};
    (void)driver_play_moves(driver, bob, 1, 20); /* Bob plays until it is Ada's turn */
    int64_t before = read_step_of_newest_view(driver, BOB);
    driver_pass_time(driver, 1000 * (int64_t)driver->config.play_absent_grace_s + 1000);
    (void)driver_play_moves(driver, bob, 1, 20);
    assert_true(read_step_of_newest_view(driver, BOB) > before + 30);
    assert_true(driver_count_messages_with_words(driver, BOB, "chat", "is away"));
    const json_t *seats = json_object_get(driver_newest_message(driver, BOB, "table"), "seats");
    assert_true(json_is_true(json_object_get(json_array_get(seats, 0), "played_by_bot")));
    driver_sign_in(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_true(driver_count_messages_with_words(driver, BOB, "chat", "is back"));
    (void)driver_play_moves(driver, bob, 1, 20);
    int64_t step = read_step_of_newest_view(driver, BOB);
    driver_pass_time(driver, 600000);
    assert_int_equal(read_step_of_newest_view(driver, BOB), step);
    const json_t *view = json_object_get(driver_newest_message(driver, ADA, "view"), "view");
    assert_int_equal(json_integer_value(json_array_get(json_object_get(view, "to_act"), 0)), 0);
}

static void a_game_without_a_clock_waits_while_all_players_are_away(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    int64_t table = driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    let_bots_move_until_a_persons_turn(driver);
    int64_t step = read_step_of_newest_view(driver, ADA);
    driver_disconnect(driver, ADA);
    driver_pass_time(driver, 20 * INT64_C(3600000));
    driver_sign_in(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
}

static void a_bots_move_is_shown_after_a_tenth_of_a_second(void **state)
{
    struct driver *driver = *state;
    driver->has_bots = true;
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    assert_int_equal(driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}"), HOUSE_OK);
    driver_sign_up(driver, ADA, "ada");
    (void)driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    int64_t moved_ms = driver->now_ms;
    int64_t step = read_step_of_newest_view(driver, ADA);
    for (int i = 0; i < 4000; i++) {
        moved_ms = driver_end_stop(driver, ADA) ? driver->now_ms : moved_ms;
        const json_t *view = json_object_get(driver_newest_message(driver, ADA, "view"), "view");
        const char *move = json_string_value(json_array_get(json_object_get(view, "legal"), 0));
        if (move != NULL) {
            driver_ok(driver, ADA, "{'t':'move','table':1,'step':%" PRId64 ",'move':'%s'}", step,
                      move);
        } else {
            driver_pass_time(driver, 10);
        }
        int64_t now = read_step_of_newest_view(driver, ADA);
        if (now != step) {
            assert_int_equal(now, step + 1);
            assert_true(move != NULL || driver->now_ms - moved_ms >= 100);
            moved_ms = driver->now_ms;
            step = now;
        }
        assert_true(driver->now_ms - moved_ms <= 200);
        if (driver_newest_message(driver, ADA, "result") != NULL) {
            break;
        }
    }
    assert_true(step > 100);
}

static void a_new_bot_worker_gets_the_requests_that_a_dead_worker_left_unanswered(void **state)
{
    struct driver *driver = *state;
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    assert_int_equal(driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}"), HOUSE_OK);
    (void)begin_game_with_guest(driver, 0);
    static const int64_t both[] = {ADA, BOB};
    for (int i = 0; i < 8 && driver_count_messages(driver, DRIVER_BOT, "think") == 0; i++) {
        (void)driver_play_moves(driver, both, 2, 1);
    }
    assert_int_equal(driver_count_messages(driver, DRIVER_BOT, "think"), 1);
    driver_disconnect(driver, DRIVER_BOT);
    driver->has_bots = true;
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    int64_t step = read_step_of_newest_view(driver, ADA);
    assert_int_equal(driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}"), HOUSE_OK);
    driver_pass_time(driver, 250);
    assert_true(read_step_of_newest_view(driver, ADA) > step);
}

static void a_silent_or_faulty_bot_worker_delays_a_game_for_a_limited_time(void **state)
{
    struct driver *driver = *state;
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    assert_int_equal(driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}"), HOUSE_OK);
    (void)begin_game_with_guest(driver, 0);
    static const int64_t both[] = {ADA, BOB};
    for (int i = 0; i < 8 && driver_count_messages(driver, DRIVER_BOT, "think") == 0; i++) {
        (void)driver_play_moves(driver, both, 2, 1);
    }
    const json_t *think = driver_newest_message(driver, DRIVER_BOT, "think");
    int64_t step = driver_read_number(think, "step");
    assert_int_equal(
        driver_send(driver, DRIVER_BOT,
                    "{'t':'bot_move','table':1,'seat':2,'step':%" PRId64 ",'move':'fly'}", step),
        HOUSE_OK);
    assert_int_equal(
        driver_send(driver, DRIVER_BOT,
                    "{'t':'bot_move','table':1,'seat':9,'step':%" PRId64 ",'move':'bid:0'}", step),
        HOUSE_OK);
    assert_int_equal(driver_send(driver, DRIVER_BOT, "{'t':'bot_move'}"), HOUSE_OK);
    driver_pass_time(driver, 900);
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
    driver_pass_time(driver, 600);
    assert_int_equal(read_step_of_newest_view(driver, ADA), step + 1);
}

static void a_bot_plays_for_a_player_who_left_for_good_and_who_counts_as_a_leaver(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    static const int64_t both[] = {ADA, BOB};
    (void)driver_play_moves(driver, both, 2, 30);
    driver_no(driver, ADA, "started", "{'t':'seat_leave'}");
    driver_ok(driver, ADA, "{'t':'seat_leave','for_good':true}");
    const json_t *seats = json_object_get(driver_newest_message(driver, BOB, "table"), "seats");
    assert_string_equal(driver_read_text(json_array_get(seats, 0), "kind"), "bot");
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, BOB, "table"), "is_host")));
    static const int64_t bob[] = {BOB};
    (void)driver_play_moves(driver, bob, 1, SIZE_MAX);
    const json_t *result = driver_newest_message(driver, BOB, "result");
    const json_t *ratings = json_object_get(result, "ratings");
    const json_t *left = json_array_get(ratings, 0);
    const json_t *names = json_object_get(result, "names");
    assert_int_equal(json_array_size(names), 3);
    assert_string_not_equal(json_string_value(json_array_get(names, 0)), "ada");
    assert_string_equal(json_string_value(json_array_get(names, 1)), "bob");
    assert_true(driver_read_number(left, "after") < driver_read_number(left, "before"));
    const json_t *leaders = driver_ok(driver, ADA, "{'t':'leaders','game':'%s'}", game_at(0)->id);
    const json_t *me = json_object_get(leaders, "me");
    assert_true(json_real_value(json_object_get(me, "finished")) == 0.0);
    const json_t *record =
        json_object_get(driver_ok(driver, ADA, "{'t':'record','game_id':%" PRId64 "}",
                                  driver_read_number(result, "game_id")),
                        "record");
    assert_int_equal(json_array_size(json_object_get(record, "changes")), 1);
}

TEST_GROUP(clocks)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(when_a_players_time_is_up_a_bot_makes_one_move),
        DRIVER_TEST(a_game_with_a_clock_ends_though_nobody_plays),
        DRIVER_TEST(no_players_clock_loses_time_while_the_house_stands_still),
        DRIVER_TEST(a_core_that_wakes_slightly_late_gives_no_clock_time_back),
        DRIVER_TEST(the_wait_for_an_absent_player_excludes_time_in_which_the_house_stood_still),
        DRIVER_TEST(without_a_clock_present_players_have_unlimited_time),
        DRIVER_TEST(without_a_clock_a_bot_plays_for_absent_players_until_they_return),
        DRIVER_TEST(a_game_without_a_clock_waits_while_all_players_are_away),
        DRIVER_TEST(a_bots_move_is_shown_after_a_tenth_of_a_second),
        DRIVER_TEST(a_new_bot_worker_gets_the_requests_that_a_dead_worker_left_unanswered),
        DRIVER_TEST(a_silent_or_faulty_bot_worker_delays_a_game_for_a_limited_time),
        DRIVER_TEST(a_bot_plays_for_a_player_who_left_for_good_and_who_counts_as_a_leaver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
