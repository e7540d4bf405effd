#include "lobby/tables/tables.h"
#include "tests/lobby/stop_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

/* The stop between two rounds (lobby/play/play.h). */

#define ADA STOP_ADA
#define BOB STOP_BOB
#define EVE (DRIVER_FIRST + 2)

static void one_person_among_bots_is_waited_for_without_a_deadline(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_ada(driver, "");
    int64_t step = stop_read_step(driver, ADA);
    assert_int_equal(stop_read_time_left(driver, ADA), -1);
    assert_true(stop_awaits(driver, ADA, 0));
    driver_pass_time(driver, DAY_MS);
    assert_string_equal(stop_read_halt(driver, ADA), "round");
    assert_int_equal(stop_read_step(driver, ADA), step);
    size_t views = driver_count_messages(driver, ADA, "view");
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, ADA), "none");
    assert_true(driver_count_messages(driver, ADA, "view") > views);
    assert_true(driver_play_moves(driver, stop_ada_alone, 1, 1) == 1);
}

static void a_stop_ends_when_all_who_are_at_the_table_have_asked(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, "");
    assert_in_range(stop_read_time_left(driver, ADA), STOP_MS - 200, STOP_MS);
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, BOB), "round");
    assert_false(stop_awaits(driver, BOB, 0));
    assert_true(stop_awaits(driver, BOB, 1));
    driver_ok(driver, BOB, "{'t':'resume','stop':true}");
    assert_string_equal(stop_read_halt(driver, ADA), "none");
    assert_string_equal(stop_read_halt(driver, BOB), "none");
}

static void a_stop_of_several_people_ends_at_its_deadline(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, "");
    driver_ok(driver, ADA, "{'t':'resume'}");
    int64_t left_ms = stop_read_time_left(driver, BOB);
    driver_pass_time(driver, left_ms - 1);
    assert_string_equal(stop_read_halt(driver, BOB), "round");
    driver_pass_time(driver, 1);
    assert_string_equal(stop_read_halt(driver, BOB), "none");
}

static void the_host_sets_how_long_stops_last_and_a_restart_keeps_that(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, ",'pace':'quick'");
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "table"), "pace"),
                        "quick");
    assert_in_range(stop_read_time_left(driver, ADA), 4800, 5000);
    driver_no(driver, BOB, "not_host", "{'t':'table_pace','pace':'slow'}");
    driver_no(driver, ADA, "bad", "{'t':'table_pace','pace':'glacial'}");
    driver_ok(driver, ADA, "{'t':'table_pace','pace':'slow'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "table"), "pace"),
                        "slow");
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_ok(driver, BOB, "{'t':'resume'}");
    driver_restart_core(driver);
    driver_sign_in(driver, ADA, "ada");
    driver_sign_in(driver, BOB, "bob");
    driver_ok(driver, ADA, "{'t':'table_enter','table':1}");
    driver_ok(driver, BOB, "{'t':'table_enter','table':1}");
    stop_play_to_end_of_round(driver, stop_both, 2);
    assert_in_range(stop_read_time_left(driver, ADA), 19800, 20000);
}

static void no_move_is_made_at_a_stop_and_a_refused_move_loses_nothing(void **state)
{
    struct driver *driver = *state;
    int64_t table = stop_after_round_of_both(driver, "");
    for (int i = 0; i < 2; i++) {
        const json_t *view =
            json_object_get(driver_newest_message(driver, stop_both[i], "view"), "view");
        const char *move = json_string_value(json_array_get(json_object_get(view, "legal"), 0));
        driver_no(driver, stop_both[i], "halted",
                  "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}", table,
                  driver_read_number(view, "step"), move == NULL ? "x" : move);
    }
    int64_t step = stop_read_step(driver, ADA);
    driver_pass_time(driver, STOP_MS - 500);
    assert_int_equal(stop_read_step(driver, ADA), step);
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_true(driver_play_moves(driver, stop_both, 2, 4) == 4);
}

static void no_clock_of_any_kind_runs_during_a_stop(void **state)
{
    static const char *const clocks[] = {
        ",'clock':{'kind':'move','move_s':5}",
        ",'clock':{'kind':'bank','bank_s':30,'increment_s':0}",
        ",'clock':{'kind':'days','days':1}",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(clocks); i++) {
        void *fresh = NULL;
        assert_int_equal(driver_setup(&fresh), 0);
        struct driver *driver = fresh;
        (void)stop_after_round_of_ada(driver, clocks[i]);
        const json_t *view = driver_newest_message(driver, ADA, "view");
        json_t *before = json_incref(json_object_get(view, "times"));
        int64_t step = stop_read_step(driver, ADA);
        driver_pass_time(driver, 3 * DAY_MS);
        assert_int_equal(stop_read_step(driver, ADA), step);
        driver_ok(driver, ADA, "{'t':'resume'}");
        view = driver_newest_message(driver, ADA, "view");
        assert_true(json_equal(before, json_object_get(view, "times")));
        json_decref(before);
        assert_int_equal(driver_teardown(&fresh), 0);
    }
}

static void whoever_leaves_or_loses_the_connection_is_not_waited_for(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, "");
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_pass_time(driver, 0);
    assert_string_equal(stop_read_halt(driver, ADA), "none");
    driver_ok(driver, BOB, "{'t':'table_enter','table':1}");
    stop_play_to_end_of_round(driver, stop_both, 2);
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, 0);
    assert_string_equal(stop_read_halt(driver, ADA), "none");
}

static void a_stop_that_everybody_has_left_ends_at_once(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_ada(driver, "");
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_pass_time(driver, 0);
    driver_ok(driver, ADA, "{'t':'table_enter','table':1}");
    assert_string_equal(stop_read_halt(driver, ADA), "none");
}

static void whoever_leaves_for_good_at_a_stop_is_not_waited_for(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, "");
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_ok(driver, BOB, "{'t':'seat_leave','for_good':true}");
    driver_pass_time(driver, 0);
    assert_string_equal(stop_read_halt(driver, ADA), "none");
    assert_true(driver_play_moves(driver, stop_ada_alone, 1, 1) == 1);
}

/* Bob, who has a seat, is in the lobby; his bot plays after a while, since Ada is at the table. */
static void players_who_are_away_do_not_hold_up_a_stop(void **state)
{
    struct driver *driver = *state;
    (void)stop_begin_game(driver, game_at(0), ",'clock':{'kind':'move','move_s':5}", true);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    stop_play_to_end_of_round(driver, stop_ada_alone, 1);
    assert_false(stop_awaits(driver, ADA, 1));
    assert_true(stop_read_time_left(driver, ADA) > 0); /* Bob waits for Ada, wherever he is */
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, ADA), "none");
}

static void bots_alone_do_not_stop(void **state)
{
    struct driver *driver = *state;
    (void)stop_begin_game(driver, game_at(0), ",'clock':{'kind':'move','move_s':5}", true);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    for (int i = 0; i < 100; i++) {
        driver_pass_time(driver, 10000);
    }
    driver_ok(driver, ADA, "{'t':'table_enter','table':1}");
    assert_true(stop_count_rounds(driver, ADA) > 1);
}

static void a_spectator_sees_a_stop_until_its_deadline_when_no_player_is_there(void **state)
{
    struct driver *driver = *state;
    (void)stop_begin_game(driver, game_at(0), ",'clock':{'kind':'move','move_s':5}", true);
    driver_sign_up(driver, EVE, "eve");
    driver_ok(driver, EVE, "{'t':'table_enter','table':1}");
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    for (int i = 0; i < 10000 && !driver_is_stopped(driver, EVE); i++) {
        driver_pass_time(driver, 100);
    }
    assert_string_equal(stop_read_halt(driver, EVE), "round");
    assert_int_equal(
        json_array_size(json_object_get(driver_newest_message(driver, EVE, "table"), "awaited")),
        0);
    int64_t left_ms = stop_read_time_left(driver, EVE);
    assert_in_range(left_ms, STOP_MS - 100, STOP_MS);
    driver_no(driver, EVE, "no_game", "{'t':'resume'}");
    driver_pass_time(driver, left_ms - 1);
    assert_string_equal(stop_read_halt(driver, EVE), "round");
    driver_pass_time(driver, 1);
    assert_string_equal(stop_read_halt(driver, EVE), "none");
}

static void a_spectator_keeps_a_stop_that_the_only_player_leaves(void **state)
{
    struct driver *driver = *state;
    (void)stop_begin_game(driver, game_at(0), "", false);
    driver_ok(driver, BOB, "{'t':'table_enter','table':1}");
    stop_play_to_end_of_round(driver, stop_ada_alone, 1);
    assert_int_equal(stop_read_time_left(driver, BOB), -1);
    driver_pass_time(driver, 60000);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_pass_time(driver, 0);
    assert_int_equal(stop_read_time_left(driver, BOB), STOP_MS);
    driver_pass_time(driver, STOP_MS);
    assert_string_equal(stop_read_halt(driver, BOB), "none");
}

static void a_spectator_with_a_delay_sees_the_stop_when_the_round_ends_for_them(void **state)
{
    struct driver *driver = *state;
    (void)stop_begin_game(driver, game_at(0), ",'watch':{'policy':'delay','moves':2}", false);
    driver_ok(driver, BOB, "{'t':'table_enter','table':1}");
    stop_play_to_end_of_round(driver, stop_ada_alone, 1);
    driver_pass_time(driver, 2 * WATCH_BEAT_MS);
    size_t told = json_array_size(driver->inbox[BOB]);
    assert_string_equal(stop_read_halt(driver, BOB), "none");
    assert_int_equal(stop_count_rounds(driver, BOB), 0);
    size_t at_table = stop_count_messages_about_table(driver, BOB);
    driver_pass_time(driver, 60000);
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_int_equal(stop_count_messages_about_table(driver, BOB), at_table);
    int64_t end = stop_read_step(driver, ADA);
    while (stop_read_step(driver, ADA) < end + 2) {
        assert_string_equal(stop_read_halt(driver, BOB), "none");
        (void)driver_play_moves(driver, stop_ada_alone, 1, 1);
    }
    while (stop_read_step(driver, BOB) < end) {
        driver_pass_time(driver, 100);
    }
    size_t rounds = 0;
    for (size_t i = told; i < json_array_size(driver->inbox[BOB]); i++) {
        const json_t *message = json_array_get(driver->inbox[BOB], i);
        rounds += strcmp(driver_read_text(message, "halt"), "round") == 0;
    }
    assert_int_equal(rounds, 1);
    assert_int_equal(stop_count_rounds(driver, BOB), 1);
}

static void the_lobby_is_not_told_of_stops(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_ada(driver, "");
    driver_pass_time(driver, 5000);
    const json_t *lobby = driver_newest_message(driver, BOB, "lobby");
    const json_t *row = json_array_get(json_object_get(lobby, "tables"), 0);
    assert_string_equal(driver_read_text(row, "halt"), "none");
}

static void every_game_stops_after_each_round_but_the_last(void **state)
{
    (void)state;
    for (uint8_t i = 0; game_at(i) != NULL; i++) {
        void *fresh = NULL;
        assert_int_equal(driver_setup(&fresh), 0);
        struct driver *driver = fresh;
        (void)stop_begin_game(driver, game_at(i), "", true);
        size_t stops = 0;
        for (int move = 0;
             move < STOP_MANY_MOVES * 4 && driver_newest_message(driver, ADA, "result") == NULL;
             move++) {
            if (!driver_make_first_legal_move(driver, stop_both[move % 2])) {
                driver_pass_time(driver, 20);
            }
            if (driver_is_stopped(driver, ADA)) {
                stops++;
                assert_int_equal(stop_count_rounds(driver, ADA), stops);
                (void)driver_end_stop(driver, ADA);
                (void)driver_end_stop(driver, BOB);
            }
        }
        assert_non_null(driver_newest_message(driver, ADA, "result"));
        assert_int_equal(stop_count_rounds(driver, ADA), stops + 1);
        assert_string_equal(stop_read_halt(driver, ADA), "none");
        assert_int_equal(driver_teardown(&fresh), 0);
    }
}

TEST_GROUP(round_stop)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(one_person_among_bots_is_waited_for_without_a_deadline),
        DRIVER_TEST(a_stop_ends_when_all_who_are_at_the_table_have_asked),
        DRIVER_TEST(a_stop_of_several_people_ends_at_its_deadline),
        DRIVER_TEST(the_host_sets_how_long_stops_last_and_a_restart_keeps_that),
        DRIVER_TEST(no_move_is_made_at_a_stop_and_a_refused_move_loses_nothing),
        cmocka_unit_test(no_clock_of_any_kind_runs_during_a_stop),
        DRIVER_TEST(whoever_leaves_or_loses_the_connection_is_not_waited_for),
        DRIVER_TEST(a_stop_that_everybody_has_left_ends_at_once),
        DRIVER_TEST(whoever_leaves_for_good_at_a_stop_is_not_waited_for),
        DRIVER_TEST(players_who_are_away_do_not_hold_up_a_stop),
        DRIVER_TEST(bots_alone_do_not_stop),
        DRIVER_TEST(a_spectator_sees_a_stop_until_its_deadline_when_no_player_is_there),
        DRIVER_TEST(a_spectator_keeps_a_stop_that_the_only_player_leaves),
        DRIVER_TEST(a_spectator_with_a_delay_sees_the_stop_when_the_round_ends_for_them),
        DRIVER_TEST(the_lobby_is_not_told_of_stops),
        cmocka_unit_test(every_game_stops_after_each_round_but_the_last),
    };
    return cmocka_run_group_tests_name("round_stop", tests, NULL, NULL);
}
