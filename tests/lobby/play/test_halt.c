#include "tests/lobby/table_driver.h"

#include "lobby/play/play.h"
#include "tests/unit.h"

#include <inttypes.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

static const int64_t both[] = {ADA, BOB};

/* Begins a rated game of Ada and Bob. */
static int64_t begin_rated_game(struct driver *driver)
{
    return table_begin_game_for_two(driver, 30);
}

static bool is_game_rated(const struct driver *driver, int64_t conn)
{
    return json_is_true(json_object_get(driver_newest_message(driver, conn, "table"), "is_rated"));
}

static int64_t read_step_of_newest_view(const struct driver *driver, int64_t conn)
{
    return driver_read_number(json_object_get(driver_newest_message(driver, conn, "view"), "view"),
                              "step");
}

/* Returns why the game is halted, as last sent to the connection; "none" while the game goes on. */
static const char *read_newest_halt_reason(const struct driver *driver, int64_t conn)
{
    return driver_read_text(driver_newest_message(driver, conn, "table"), "halt");
}

static void sign_in_and_enter_table(struct driver *driver, int64_t conn, const char *name,
                                    int64_t table)
{
    driver_clear_inbox(driver, conn);
    driver_sign_in(driver, conn, name);
    driver_ok(driver, conn, "{'t':'table_enter','table':%" PRId64 "}", table);
}

static int64_t read_clock_time_left_ms(const struct driver *driver, int64_t conn)
{
    return driver_read_number(json_object_get(driver_newest_message(driver, conn, "view"), "clock"),
                              "left_ms");
}

/* Lets bots move until it is a person's turn and their clock runs. */
static void let_bots_move_until_a_clock_runs(struct driver *driver)
{
    for (int i = 0; i < 100 && read_clock_time_left_ms(driver, ADA) < 0; i++) {
        driver_pass_time(driver, 100);
    }
    assert_in_range(read_clock_time_left_ms(driver, ADA), 20000, 30000);
}

static void a_pause_needs_the_consent_of_all_present_players_but_any_player_can_end_it(void **state)
{
    struct driver *driver = *state;
    (void)begin_rated_game(driver);
    driver_ok(driver, ADA, "{'t':'pause'}");
    assert_string_equal(read_newest_halt_reason(driver, BOB), "none");
    const json_t *asks = json_object_get(driver_newest_message(driver, BOB, "table"), "asks");
    assert_int_equal(json_array_size(json_object_get(asks, "pause")), 1);
    driver_ok(driver, BOB, "{'t':'pause'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "pause");
    int64_t step = read_step_of_newest_view(driver, ADA);
    driver_pass_time(driver, DAY_MS);
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    assert_int_equal(driver_play_moves(driver, both, 2, 5), 5);
}

static void nobody_can_move_while_the_game_is_halted(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    for (int i = 0; i < 100; i++) {
        const json_t *view = json_object_get(driver_newest_message(driver, ADA, "view"), "view");
        if (json_array_size(json_object_get(view, "legal")) > 0) {
            break;
        }
        (void)driver_play_moves(driver, &both[1], 1, 1);
    }
    driver_ok(driver, ADA, "{'t':'pause'}");
    driver_ok(driver, BOB, "{'t':'pause'}");
    const json_t *view = json_object_get(driver_newest_message(driver, ADA, "view"), "view");
    driver_no(driver, ADA, "halted",
              "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}", table,
              driver_read_number(view, "step"),
              json_string_value(json_array_get(json_object_get(view, "legal"), 0)));
}

static void one_person_among_bots_can_pause_at_once(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    (void)driver_open_table(driver, ADA, 3, 30);
    driver_no(driver, ADA, "no_game", "{'t':'pause'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    driver_ok(driver, ADA, "{'t':'pause'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "pause");
}

static void making_a_move_withdraws_a_request_for_a_pause(void **state)
{
    struct driver *driver = *state;
    (void)begin_rated_game(driver);
    driver_ok(driver, ADA, "{'t':'pause'}");
    driver_ok(driver, BOB, "{'t':'resume'}");
    driver_ok(driver, BOB, "{'t':'pause'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
}

static void turn_by_turn_games_have_vacations_instead_of_pauses(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    (void)driver_open_table(driver, ADA, 3, 86400);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    driver_no(driver, ADA, "days", "{'t':'pause'}");
    driver_no(driver, ADA, "days", "{'t':'adjourn'}");
}

static void an_adjourned_game_stays_adjourned_over_a_restart_until_all_ask_to_resume(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "adjourn");
    int64_t step = read_step_of_newest_view(driver, ADA);
    driver_disconnect(driver, ADA);
    driver_disconnect(driver, BOB);
    driver->now_ms += 5 * DAY_MS;
    driver_restart_core(driver);
    driver_pass_time(driver, DAY_MS);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    const json_t *mine = json_object_get(driver_newest_message(driver, ADA, "mine"), "tables");
    assert_string_equal(driver_read_text(json_array_get(mine, 0), "halt"), "adjourn");
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "adjourn");
    sign_in_and_enter_table(driver, BOB, "bob", table);
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, ADA, "table"), "is_rated")));
    assert_true(driver_play_moves(driver, both, 2, SIZE_MAX) > 20);
    assert_non_null(driver_newest_message(driver, ADA, "result"));
}

/* Begins a game of Ada, a guest on the connection BOB and a bot; returns the table's number. */
static int64_t begin_game_with_guest(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_enter_as_guest(driver, BOB);
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    return table;
}

static void no_time_passes_in_a_pause_that_becomes_an_adjournment(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    let_bots_move_until_a_clock_runs(driver);
    driver_ok(driver, ADA, "{'t':'pause'}");
    driver_ok(driver, BOB, "{'t':'pause'}");
    int64_t had_ms = read_clock_time_left_ms(driver, ADA);
    driver_pass_time(driver, 20000);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_int_equal(read_clock_time_left_ms(driver, ADA), had_ms);
}

static void an_adjourned_game_does_not_wait_for_a_guest_who_left(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_with_guest(driver);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    driver_disconnect(driver, BOB);
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
}

static void losing_the_connection_withdraws_the_request_to_resume(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_disconnect(driver, ADA);
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, BOB), "adjourn");
    sign_in_and_enter_table(driver, ADA, "ada", table);
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, BOB), "none");
}

static void after_a_downtime_a_game_waits_for_all_who_were_connected(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    let_bots_move_until_a_clock_runs(driver);
    driver_pass_time(driver, 5000);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    int64_t had_ms = read_clock_time_left_ms(driver, ADA);
    int64_t step = read_step_of_newest_view(driver, BOB);
    driver->now_ms += 3 * DAY_MS;
    driver_restart_core(driver);
    driver_pass_time(driver, DAY_MS);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "house");
    const json_t *awaited = json_object_get(driver_newest_message(driver, ADA, "table"), "awaited");
    assert_int_equal(json_array_size(awaited), 1);
    assert_int_equal(json_integer_value(json_array_get(awaited, 0)), 1);
    driver_pass_time(driver, DAY_MS);
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
    assert_in_range(read_clock_time_left_ms(driver, ADA), had_ms, had_ms + 1000);
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, ADA, "table"), "is_rated")));
}

static void no_single_player_can_unrate_a_game_interrupted_by_a_downtime(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    int64_t step = read_step_of_newest_view(driver, ADA);
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "house");
    assert_int_equal(driver_read_number(driver_newest_message(driver, ADA, "table"), "resume_by"),
                     driver->now_ms + RESUME_DEADLINE_MS);
    driver_pass_time(driver, DAY_MS);
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    assert_true(is_game_rated(driver, ADA));
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
    assert_true(driver_play_moves(driver, both, 2, SIZE_MAX) > 20);
    const json_t *result = driver_newest_message(driver, ADA, "result");
    assert_true(json_is_object(json_array_get(json_object_get(result, "ratings"), 0)));
}

static void
a_week_after_a_downtime_a_rated_game_resumes_rated_without_its_absent_player(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_disconnect(driver, ADA);
    driver_pass_time(driver, 6 * DAY_MS);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "house");
    driver_pass_time(driver, DAY_MS);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    assert_true(is_game_rated(driver, ADA));
    for (int i = 0; i < 2000; i++) {
        /* from here on a bot plays for Bob, and for Ada once her time is up */
        driver_pass_time(driver, 10000);
    }
    const json_t *result = driver_newest_message(driver, ADA, "result");
    assert_non_null(result);
    assert_int_equal(json_array_size(json_object_get(result, "left")), 0);
    assert_true(json_is_object(json_array_get(json_object_get(result, "ratings"), 1)));
}

static void a_player_who_leaves_again_before_the_game_resumes_is_waited_for_again(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    driver_disconnect(driver, ADA);
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_string_equal(read_newest_halt_reason(driver, BOB), "house");
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, BOB), "house");
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_string_equal(read_newest_halt_reason(driver, BOB), "house");
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_string_equal(read_newest_halt_reason(driver, BOB), "none");
    assert_true(is_game_rated(driver, BOB));
}

static void a_casual_game_can_resume_without_players_disconnected_by_the_downtime(void **state)
{
    struct driver *driver = *state;
    int64_t table = table_begin_game_for_two(driver, 0);
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
}

static void a_paused_rated_game_also_waits_for_players_disconnected_by_the_downtime(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_ok(driver, ADA, "{'t':'pause'}");
    driver_ok(driver, BOB, "{'t':'pause'}");
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "pause");
    driver_ok(driver, ADA, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "house");
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    assert_true(is_game_rated(driver, ADA));
}

static void
a_pause_survives_a_downtime_until_all_players_are_back_and_one_of_them_ends_it(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_ok(driver, ADA, "{'t':'pause'}");
    driver_ok(driver, BOB, "{'t':'pause'}");
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "pause");
    driver_ok(driver, BOB, "{'t':'resume'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
}

/* Plays on until it is this person's turn, and the turn of nobody else present. */
static void play_until_turn_of(struct driver *driver, int64_t conn)
{
    for (int i = 0; i < 200; i++) {
        const json_t *view = json_object_get(driver_newest_message(driver, conn, "view"), "view");
        if (json_array_size(json_object_get(view, "legal")) > 0) {
            return;
        }
        (void)driver_play_moves(driver, conn == ADA ? &both[1] : both, 1, 1);
        driver_pass_time(driver, 1000);
    }
    fail();
}

static void no_player_can_pause_a_rated_game_on_their_own_turn_while_another_is_away(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    play_until_turn_of(driver, ADA);
    driver_disconnect(driver, BOB);
    driver_ok(driver, ADA, "{'t':'pause'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    assert_true(
        driver_count_messages_with_words(driver, ADA, NULL, "ada asks for a pause (1 of 2)"));
    assert_true(driver_count_messages_with_words(driver, ADA, NULL,
                                                 "Players who are away are asked when they come."));
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_true(
        driver_count_messages_with_words(driver, BOB, NULL, "ada asks for a pause: /pause agrees"));
    driver_ok(driver, BOB, "{'t':'pause'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "pause");
}

static void a_pause_needs_the_consent_of_an_absent_player_whose_turn_it_is(void **state)
{
    struct driver *driver = *state;
    (void)begin_rated_game(driver);
    play_until_turn_of(driver, BOB);
    driver_disconnect(driver, BOB);
    int64_t step = read_step_of_newest_view(driver, ADA);
    driver_ok(driver, ADA, "{'t':'pause'}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "pause");
    driver_pass_time(driver, DAY_MS);
    assert_int_equal(read_step_of_newest_view(driver, ADA), step);
}

static void guests_whose_connection_has_ended_are_not_waited_for(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game_with_guest(driver);
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "house");
    driver_connect(driver, 5, PEER_GATE);
    assert_int_equal(driver_send(driver, 5, "{'t':'hello','protocol':3}"), HOUSE_OK);
    assert_int_equal(driver_send(driver, 5, "{'t':'connections_end'}"), HOUSE_OK);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
}

static void
a_game_does_not_wait_for_absent_players_after_a_restart_that_keeps_connections(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, 5000);
    driver_restart_core(driver);
    driver_clear_inbox(driver, ADA);
    driver_connect_session(driver, ADA);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "house");
    driver_connect(driver, 5, PEER_GATE);
    assert_int_equal(driver_send(driver, 5, "{'t':'hello','protocol':3}"), HOUSE_OK);
    assert_int_equal(driver_send(driver, 5, "{'t':'connections_end'}"), HOUSE_OK);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    assert_true(
        json_is_true(json_object_get(driver_newest_message(driver, ADA, "table"), "is_rated")));
}

static void players_disconnected_by_a_downtime_are_waited_for_after_another_restart(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "house");
    driver_restart_core(driver); /* Ada has returned, Bob has not */
    driver_clear_inbox(driver, ADA);
    driver_connect_session(driver, ADA);
    driver_connect(driver, 5, PEER_GATE);
    assert_int_equal(driver_send(driver, 5, "{'t':'hello','protocol':3}"), HOUSE_OK);
    assert_int_equal(driver_send(driver, 5, "{'t':'connections_end'}"), HOUSE_OK);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "house");
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
}

static void players_away_before_the_downtime_are_not_waited_for(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_disconnect(driver, BOB);
    static const int64_t ada[] = {ADA};
    (void)driver_play_moves(driver, ada, 1, 20); /* after some minutes a bot plays for Bob */
    driver_pass_time(driver, 100000);
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
}

static void players_who_came_back_after_a_downtime_are_waited_for_after_the_next(void **state)
{
    struct driver *driver = *state;
    int64_t table = table_begin_game_for_two(driver, 0);
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    sign_in_and_enter_table(driver, BOB, "bob", table);
    driver_pass_time(driver, DAY_MS);
    driver_ok(driver, ADA, "{'t':'say','to':'table','kind':'say','text':'hello'}");
    driver_restart_core(driver);
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_string_equal(read_newest_halt_reason(driver, BOB), "house");
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_string_equal(read_newest_halt_reason(driver, BOB), "none");
}

static void a_shutdown_that_first_disconnects_everybody_counts_as_a_downtime(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_disconnect(driver, ADA);
    driver_disconnect(driver, BOB);
    driver_restart_core(driver);
    driver_pass_time(driver, DAY_MS);
    sign_in_and_enter_table(driver, ADA, "ada", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "house");
    sign_in_and_enter_table(driver, BOB, "bob", table);
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
}

static void a_halted_game_resumes_when_the_last_missing_player_leaves_for_good(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_rated_game(driver);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    driver_ok(driver, ADA, "{'t':'resume'}");
    driver_ok(driver, BOB, "{'t':'seat_leave','for_good':true}");
    assert_string_equal(read_newest_halt_reason(driver, ADA), "none");
    (void)table;
}

static void a_game_nobody_comes_back_to_ends_unrated_after_a_month(void **state)
{
    struct driver *driver = *state;
    (void)begin_rated_game(driver);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    driver_disconnect(driver, ADA);
    driver_disconnect(driver, BOB);
    driver_pass_time(driver, 29 * DAY_MS);
    driver_sign_in(driver, ADA, "ada");
    assert_int_equal(
        json_array_size(json_object_get(driver_newest_message(driver, ADA, "mine"), "tables")), 1);
    driver_disconnect(driver, ADA);
    driver_pass_time(driver, 2 * DAY_MS);
    driver_clear_inbox(driver, ADA);
    driver_sign_in(driver, ADA, "ada");
    assert_int_equal(
        json_array_size(json_object_get(driver_newest_message(driver, ADA, "mine"), "tables")), 0);
}

TEST_GROUP(halt)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_pause_needs_the_consent_of_all_present_players_but_any_player_can_end_it),
        DRIVER_TEST(nobody_can_move_while_the_game_is_halted),
        DRIVER_TEST(one_person_among_bots_can_pause_at_once),
        DRIVER_TEST(making_a_move_withdraws_a_request_for_a_pause),
        DRIVER_TEST(turn_by_turn_games_have_vacations_instead_of_pauses),
        DRIVER_TEST(an_adjourned_game_stays_adjourned_over_a_restart_until_all_ask_to_resume),
        DRIVER_TEST(no_time_passes_in_a_pause_that_becomes_an_adjournment),
        DRIVER_TEST(an_adjourned_game_does_not_wait_for_a_guest_who_left),
        DRIVER_TEST(losing_the_connection_withdraws_the_request_to_resume),
        DRIVER_TEST(after_a_downtime_a_game_waits_for_all_who_were_connected),
        DRIVER_TEST(no_single_player_can_unrate_a_game_interrupted_by_a_downtime),
        DRIVER_TEST(a_week_after_a_downtime_a_rated_game_resumes_rated_without_its_absent_player),
        DRIVER_TEST(a_player_who_leaves_again_before_the_game_resumes_is_waited_for_again),
        DRIVER_TEST(a_casual_game_can_resume_without_players_disconnected_by_the_downtime),
        DRIVER_TEST(a_paused_rated_game_also_waits_for_players_disconnected_by_the_downtime),
        DRIVER_TEST(a_pause_survives_a_downtime_until_all_players_are_back_and_one_of_them_ends_it),
        DRIVER_TEST(no_player_can_pause_a_rated_game_on_their_own_turn_while_another_is_away),
        DRIVER_TEST(a_pause_needs_the_consent_of_an_absent_player_whose_turn_it_is),
        DRIVER_TEST(guests_whose_connection_has_ended_are_not_waited_for),
        DRIVER_TEST(a_game_does_not_wait_for_absent_players_after_a_restart_that_keeps_connections),
        DRIVER_TEST(players_disconnected_by_a_downtime_are_waited_for_after_another_restart),
        DRIVER_TEST(players_away_before_the_downtime_are_not_waited_for),
        DRIVER_TEST(players_who_came_back_after_a_downtime_are_waited_for_after_the_next),
        DRIVER_TEST(a_shutdown_that_first_disconnects_everybody_counts_as_a_downtime),
        DRIVER_TEST(a_halted_game_resumes_when_the_last_missing_player_leaves_for_good),
        DRIVER_TEST(a_game_nobody_comes_back_to_ends_unrated_after_a_month),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
