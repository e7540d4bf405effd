#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "tests/unit.h"

#include <inttypes.h>

/* A player who lost the connection is sent back to their table. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define AGAIN (DRIVER_FIRST + 2)

static const int64_t both[] = {ADA, BOB};

/* Opens a table where Ada, Bob and a bot sit. */
static int64_t open_table(struct driver *driver, const char *clock)
{
    const json_t *answer =
        driver_ok(driver, ADA, "{'t':'table_open','game':'%s','players':3,'options':{},'clock':%s}",
                  game_at(0)->id, clock);
    int64_t table = driver_read_number(answer, "table");
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    return table;
}

static bool is_on_turn(const struct driver *driver, int64_t conn)
{
    const json_t *view = json_object_get(driver_newest_message(driver, conn, "view"), "view");
    return json_array_size(json_object_get(view, "legal")) > 0;
}

/* Begins the game and plays until it is Ada's turn. */
static void begin_game_and_play_until_adas_turn(struct driver *driver)
{
    static const int64_t bob[] = {BOB};
    driver_ok(driver, ADA, "{'t':'table_start'}");
    for (int i = 0; i < 100 && !is_on_turn(driver, ADA); i++) {
        (void)driver_play_moves(driver, bob, 1, 1);
        driver_pass_time(driver, 100);
    }
    assert_true(is_on_turn(driver, ADA));
}

static void sign_in_ada_and_bob(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
}

/* Signs the person in and returns the table they are sent back to; -1: none. */
static int64_t sign_in_and_read_table_to_return_to(struct driver *driver, int64_t conn,
                                                   const char *name)
{
    driver_clear_inbox(driver, conn);
    driver_sign_in(driver, conn, name);
    return driver_read_number(driver_newest_message(driver, conn, "back"), "table");
}

#define LIVE "{'kind':'move','move_s':60}"

static void a_reconnected_player_returns_to_the_table_and_is_told_once_what_was_missed(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    int64_t table = open_table(driver, LIVE);
    begin_game_and_play_until_adas_turn(driver);
    driver_disconnect(driver, ADA);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, ADA, "ada"), table);
    assert_int_equal(driver_count_messages_with_words(driver, ADA, NULL, "for your move"),
                     0); /* the notice names the table to which Ada returns */
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_int_equal(driver_count_messages_with_words(driver, ADA, NULL,
                                                      "and have missed nothing. It is your turn."),
                     1);
    (void)driver_play_moves(driver, both, 1, 1);
    driver_disconnect(driver, ADA);
    (void)driver_play_moves(driver, both + 1, 1, 1);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, ADA, "ada"), table);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_int_equal(driver_count_messages_with_words(driver, ADA, NULL, "While you were away: "),
                     1);
    assert_int_equal(driver_count_messages_with_words(driver, ADA, NULL, "missed nothing"), 0);
    driver_ok(driver, ADA, "{'t':'table_leave'}");
    driver_clear_inbox(driver, ADA);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_int_equal(driver_count_messages_with_words(driver, ADA, NULL, "missed nothing"), 0);
}

/* A player who returns soon has no less time left than a player who returns late. */
static void a_reconnected_player_has_ten_seconds_to_move_but_only_once(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    int64_t table = open_table(driver, LIVE);
    begin_game_and_play_until_adas_turn(driver);
    driver_pass_time(driver, 58000);
    driver_disconnect(driver, ADA);
    driver_pass_time(driver, 500);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, ADA, "ada"), table);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    const json_t *clock = json_object_get(driver_newest_message(driver, ADA, "view"), "clock");
    assert_int_equal(driver_read_number(clock, "left_ms"), 10000);
    driver_pass_time(driver, 9000);
    driver_disconnect(driver, ADA);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, ADA, "ada"), table);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    clock = json_object_get(driver_newest_message(driver, ADA, "view"), "clock");
    assert_int_equal(driver_read_number(clock, "left_ms"), 1000);
}

static void a_reconnected_player_returns_to_the_table_with_the_nearest_deadline(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    (void)open_table(driver, "{'kind':'move','move_s':300}");
    begin_game_and_play_until_adas_turn(driver);
    int64_t soonest = open_table(driver, "{'kind':'move','move_s':90}");
    begin_game_and_play_until_adas_turn(driver);
    (void)open_table(driver, "{'kind':'move','move_s':200}");
    begin_game_and_play_until_adas_turn(driver);
    driver_disconnect(driver, ADA);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, ADA, "ada"), soonest);
    assert_int_equal(
        driver_count_messages_with_words(driver, ADA, NULL, "2 games wait for your move"), 1);
}

static void a_reconnected_player_returns_to_a_running_game_before_one_not_started(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    int64_t table = open_table(driver, LIVE);
    driver_disconnect(driver, ADA);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, ADA, "ada"), table);
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    begin_game_and_play_until_adas_turn(driver);
    (void)driver_play_moves(driver, both, 1, 1); /* none of Ada's clocks runs */
    driver_ok(driver, ADA,
              "{'t':'table_open','game':'%s','players':3,'options':{},'clock':" LIVE "}",
              game_at(0)->id);
    driver_disconnect(driver, ADA);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, ADA, "ada"), table);
}

static void nobody_is_sent_to_a_table_they_left_on_purpose(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    int64_t table = open_table(driver, LIVE);
    begin_game_and_play_until_adas_turn(driver);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, AGAIN, "ada"),
                     -1); /* Ada's other connection is still at the table */
    driver_disconnect(driver, AGAIN);
    driver_ok(driver, ADA, "{'t':'adjourn'}");
    driver_ok(driver, BOB, "{'t':'adjourn'}");
    driver_disconnect(driver, ADA);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, ADA, "ada"),
                     -1); /* the game is adjourned */
    driver_ok(driver, ADA, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ADA, "{'t':'seat_leave','for_good':true}");
    (void)open_table(driver, "{'kind':'days','days':1}");
    begin_game_and_play_until_adas_turn(driver);
    driver_disconnect(driver, ADA);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, ADA, "ada"),
                     -1); /* nothing is urgent: the lobby tells Ada which game waits */
    assert_int_equal(
        driver_count_messages_with_words(driver, ADA, NULL, "1 game waits for your move"), 1);
}

static void after_a_downtime_too_players_return_to_their_tables(void **state)
{
    struct driver *driver = *state;
    sign_in_ada_and_bob(driver);
    int64_t table = open_table(driver, LIVE);
    begin_game_and_play_until_adas_turn(driver);
    driver_restart_core(driver);
    assert_int_equal(sign_in_and_read_table_to_return_to(driver, AGAIN, "ada"), table);
}

TEST_GROUP(reconnecting)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_reconnected_player_returns_to_the_table_and_is_told_once_what_was_missed),
        DRIVER_TEST(a_reconnected_player_has_ten_seconds_to_move_but_only_once),
        DRIVER_TEST(a_reconnected_player_returns_to_the_table_with_the_nearest_deadline),
        DRIVER_TEST(a_reconnected_player_returns_to_a_running_game_before_one_not_started),
        DRIVER_TEST(nobody_is_sent_to_a_table_they_left_on_purpose),
        DRIVER_TEST(after_a_downtime_too_players_return_to_their_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
