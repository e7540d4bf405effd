#include "tests/lobby/stop_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

/* The stop between two rounds when the house restarts, when people pause or adjourn, with programs,
 * guests and turn-by-turn games. */

#define ADA STOP_ADA
#define BOB STOP_BOB
#define EVE (DRIVER_FIRST + 2)
#define DAY_MS INT64_C(86400000)

static void a_stop_outlives_a_restart_with_the_keys_that_were_pressed(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, "");
    driver_ok(driver, ADA, "{'t':'resume'}");
    int64_t left_ms = stop_read_time_left(driver, BOB);
    driver->now_ms += 3000;
    driver_restart_core(driver);
    driver_pass_time(driver, 0);
    driver_reconnect_conns(driver, stop_both, 2);
    assert_string_equal(stop_read_halt(driver, BOB), "round");
    assert_int_equal(stop_read_time_left(driver, BOB), left_ms - 3000);
    assert_false(stop_awaits(driver, BOB, 0));
    assert_true(stop_awaits(driver, BOB, 1));
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, ADA), "none");
    assert_true(driver_play_moves(driver, stop_both, 2, 4) == 4);
}

static void a_stop_of_one_person_outlives_a_restart(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_ada(driver, "");
    driver->now_ms += DAY_MS;
    driver_restart_core(driver);
    driver_pass_time(driver, 1000);
    driver_reconnect_conns(driver, stop_ada_alone, 1);
    driver_pass_time(driver, 1000);
    assert_string_equal(stop_read_halt(driver, ADA), "round");
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, ADA), "none");
}

static void a_stop_whose_deadline_passed_while_the_house_was_down_ends_at_once(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, "");
    driver->now_ms += STOP_MS + 1;
    driver_restart_core(driver);
    driver_pass_time(driver, 0);
    driver_reconnect_conns(driver, stop_both, 2);
    assert_string_equal(stop_read_halt(driver, BOB), "none");
    assert_true(driver_play_moves(driver, stop_both, 2, 4) == 4);
}

static void after_a_stop_the_game_waits_for_players_whom_a_restart_disconnected(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, "");
    driver_restart_core(driver);
    driver_reconnect_conns(driver, stop_ada_alone, 1);
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, ADA), "house");
    driver_sign_in(driver, BOB, "bob");
    assert_string_equal(stop_read_halt(driver, ADA), "none");
}

static void a_pause_takes_the_place_of_a_stop(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, "");
    driver_ok(driver, ADA, "{'t':'pause'}");
    driver_ok(driver, BOB, "{'t':'pause'}");
    assert_string_equal(stop_read_halt(driver, ADA), "pause");
    driver_pass_time(driver, DAY_MS);
    assert_string_equal(stop_read_halt(driver, ADA), "pause");
    driver_ok(driver, ADA, "{'t':'resume','stop':true}"); /* a key meant for the stop */
    assert_string_equal(stop_read_halt(driver, ADA), "pause");
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, BOB), "none");
}

static void a_request_for_a_pause_outlives_a_stop(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, "");
    driver_ok(driver, ADA, "{'t':'pause'}");
    driver_pass_time(driver, STOP_MS);
    assert_string_equal(stop_read_halt(driver, BOB), "none");
    driver_ok(driver, BOB, "{'t':'resume','stop':true}"); /* a key pressed too late */
    driver_ok(driver, BOB, "{'t':'pause'}");
    assert_string_equal(stop_read_halt(driver, ADA), "pause");
}

static void a_game_can_be_adjourned_at_a_stop(void **state)
{
    struct driver *driver = *state;
    (void)stop_after_round_of_both(driver, ",'clock':{'kind':'move','move_s':30}");
    driver_ok(driver, ADA, "{'t':'adjourn','text':'dinner'}");
    driver_pass_time(driver, STOP_MS);
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    assert_string_equal(stop_read_halt(driver, ADA), "adjourn");
    driver_pass_time(driver, DAY_MS);
    assert_string_equal(stop_read_halt(driver, ADA), "adjourn");
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, BOB), "none");
}

/* Connects a program: a session that does not know stops. */
static void connect_program(struct driver *driver, int64_t conn, const char *name)
{
    driver_connect(driver, conn, PEER_SESSION);
    (void)driver_send(driver, conn, "{'t':'hello','protocol':3}");
    driver_ok(driver, conn, "{'t':'sign_in','method':'password','name':'%s','password':''}", name);
    driver_ok(driver, conn, "{'t':'sign_up','name':'%s','password':'password of %s'}", name, name);
}

static void a_stop_does_not_wait_for_programs(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    connect_program(driver, BOB, "bob");
    connect_program(driver, EVE, "eve");
    driver_ok(driver, ADA, "{'t':'table_open','game':'%s','players':3}", game_at(0)->id);
    for (int64_t conn = BOB; conn <= EVE; conn++) {
        driver_ok(driver, conn, "{'t':'table_enter','table':1}");
        driver_ok(driver, conn, "{'t':'seat_take'}");
    }
    driver_ok(driver, ADA, "{'t':'table_start'}");
    static const int64_t all[] = {ADA, BOB, EVE};
    for (int i = 0; i < STOP_MANY_MOVES && !driver_is_stopped(driver, ADA); i++) {
        (void)driver_make_first_legal_move(driver, all[i % 3]);
    }
    assert_string_equal(stop_read_halt(driver, BOB), "pause");
    assert_string_equal(stop_read_halt(driver, EVE), "pause");
    assert_true(stop_awaits(driver, ADA, 0) && !stop_awaits(driver, ADA, 1) &&
                !stop_awaits(driver, ADA, 2));
    driver_ok(driver, BOB, "{'t':'resume'}"); /* harmless */
    assert_string_equal(stop_read_halt(driver, ADA), "round");
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, BOB), "none");
}

static void programs_alone_play_without_stops(void **state)
{
    struct driver *driver = *state;
    connect_program(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'table_open','game':'%s','players':3}", game_at(0)->id);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    (void)driver_play_moves(driver, stop_ada_alone, 1, STOP_MANY_MOVES);
    assert_non_null(driver_newest_message(driver, ADA, "result"));
    for (size_t i = 0; i < json_array_size(driver->inbox[ADA]); i++) {
        const json_t *message = json_array_get(driver->inbox[ADA], i);
        assert_string_not_equal(driver_read_text(message, "halt"), "pause");
    }
}

static void a_bot_account_is_not_waited_for_and_does_not_hurry_its_opponent(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_ok(driver, BOB, "{'t':'bot_account'}");
    driver_ok(driver, ADA, "{'t':'table_open','game':'%s','players':3}", game_at(0)->id);
    driver_ok(driver, BOB, "{'t':'table_enter','table':1}");
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    stop_play_to_end_of_round(driver, stop_both, 2);
    assert_false(stop_awaits(driver, ADA, 1));
    assert_int_equal(stop_read_time_left(driver, ADA), -1);
    size_t views = driver_count_messages(driver, BOB, "view");
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_true(driver_count_messages(driver, BOB, "view") > views);
}

static void a_turn_by_turn_game_stops_only_for_those_who_are_there(void **state)
{
    struct driver *driver = *state;
    (void)stop_begin_game(driver, game_at(0), ",'clock':{'kind':'days','days':2}", true);
    stop_play_to_end_of_round(driver, stop_both, 2);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, ADA), "none");
    (void)driver_play_moves(driver, stop_ada_alone, 1, 1);
    driver_ok(driver, BOB, "{'t':'table_enter','table':1}");
    stop_play_to_end_of_round(driver, stop_both, 2);
    driver_restart_core(driver);
    driver_pass_time(driver, STOP_MS + 1);
    driver_reconnect_conns(driver, stop_both, 2);
    assert_string_equal(stop_read_halt(driver, ADA), "none");
    assert_true(driver_play_moves(driver, stop_both, 2, 2) == 2);
}

static void a_guest_is_waited_for_as_others_are(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, ADA);
    driver_ok(driver, ADA, "{'t':'table_open','game':'%s','players':3}", game_at(0)->id);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    stop_play_to_end_of_round(driver, stop_ada_alone, 1);
    driver_pass_time(driver, DAY_MS);
    assert_string_equal(stop_read_halt(driver, ADA), "round");
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(stop_read_halt(driver, ADA), "none");
}

TEST_GROUP(round_stop_restart)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_stop_outlives_a_restart_with_the_keys_that_were_pressed),
        DRIVER_TEST(a_stop_of_one_person_outlives_a_restart),
        DRIVER_TEST(a_stop_whose_deadline_passed_while_the_house_was_down_ends_at_once),
        DRIVER_TEST(after_a_stop_the_game_waits_for_players_whom_a_restart_disconnected),
        DRIVER_TEST(a_pause_takes_the_place_of_a_stop),
        DRIVER_TEST(a_request_for_a_pause_outlives_a_stop),
        DRIVER_TEST(a_game_can_be_adjourned_at_a_stop),
        DRIVER_TEST(a_stop_does_not_wait_for_programs),
        DRIVER_TEST(programs_alone_play_without_stops),
        DRIVER_TEST(a_bot_account_is_not_waited_for_and_does_not_hurry_its_opponent),
        DRIVER_TEST(a_turn_by_turn_game_stops_only_for_those_who_are_there),
        DRIVER_TEST(a_guest_is_waited_for_as_others_are),
    };
    return cmocka_run_group_tests_name("round_stop_restart", tests, NULL, NULL);
}
