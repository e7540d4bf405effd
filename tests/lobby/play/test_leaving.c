#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

/* Tests which place is shown for a player who left a rated game for good. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)
#define PEOPLE 3

static const char *const names[PEOPLE] = {"ada", "bob", "eve"};
static const int64_t people[PEOPLE] = {ADA, BOB, EVE};

/* Begins a rated game of Ada, Bob and Eve, with bots on the other seats, and makes some moves. */
static void begin_rated_game(struct driver *driver, int seat_count)
{
    for (size_t i = 0; i < PEOPLE; i++) {
        driver_sign_up(driver, people[i], names[i]);
    }
    int64_t table = driver_open_table(driver, ADA, seat_count, 30);
    for (size_t i = 1; i < PEOPLE; i++) {
        driver_ok(driver, people[i], "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, people[i], "{'t':'seat_take'}");
    }
    for (int seat = PEOPLE; seat < seat_count; seat++) {
        driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    }
    driver_ok(driver, ADA, "{'t':'table_start'}");
    (void)driver_play_moves(driver, people, PEOPLE, 9);
}

static void leave_game_for_good(struct driver *driver, int64_t conn)
{
    driver_ok(driver, conn, "{'t':'seat_leave','for_good':true}");
}

/* Plays the game to its end with the remaining players. */
static void play_game_to_the_end(struct driver *driver, const int64_t *conns, size_t count)
{
    (void)driver_play_moves(driver, conns, count, SIZE_MAX);
    for (int i = 0; i < 2000 && driver_newest_message(driver, ADA, "result") == NULL; i++) {
        driver_pass_time(driver, 1000);
    }
    assert_non_null(driver_newest_message(driver, ADA, "result"));
}

static bool is_bot_player(const json_t *player)
{
    for (size_t i = 0; i < PEOPLE; i++) {
        if (strcmp(driver_read_text(player, "name"), names[i]) == 0) {
            return false;
        }
    }
    return true;
}

/* Returns the player of this name from a game's row in a history. */
static const json_t *find_player_in_game_row(const json_t *row, const char *name)
{
    size_t i;
    json_t *player;
    json_array_foreach(json_object_get(row, "players"), i, player)
    {
        if (strcmp(driver_read_text(player, "name"), name) == 0) {
            return player;
        }
    }
    return NULL;
}

static const json_t *read_newest_game_of_player(struct driver *driver, const char *name)
{
    const json_t *answer = driver_ok(driver, ADA, "{'t':'games','name':'%s'}", name);
    return json_array_get(json_object_get(answer, "rows"), 0);
}

static double read_place_in_history(struct driver *driver, const char *name)
{
    const json_t *answer = driver_ok(driver, ADA, "{'t':'profile','name':'%s'}", name);
    const json_t *game = json_array_get(json_object_get(answer, "games"), 0);
    assert_non_null(game);
    return json_number_value(json_object_get(game, "place"));
}

/* Checks that this leaver has the given rank and no score, and that everybody with a score ranks
 * higher. */
static void assert_leaver_ranks_last(struct driver *driver, const char *name, int64_t rank)
{
    const json_t *row = read_newest_game_of_player(driver, name);
    size_t i;
    json_t *player;
    assert_int_equal(driver_read_number(row, "rank"), rank);
    assert_true(json_is_null(json_object_get(row, "score")));
    assert_true(json_is_null(json_object_get(find_player_in_game_row(row, name), "score")));
    json_array_foreach(json_object_get(row, "players"), i, player)
    {
        if (!json_is_null(json_object_get(player, "score"))) {
            assert_true(driver_read_number(player, "rank") < rank);
        }
    }
    assert_true(read_place_in_history(driver, name) == 0.0);
    const json_t *left = json_object_get(driver_newest_message(driver, ADA, "result"), "left");
    bool is_told = false;
    json_array_foreach(left, i, player)
    {
        is_told = is_told || (strcmp(driver_read_text(player, "name"), name) == 0 &&
                              driver_read_number(player, "rank") == rank);
    }
    assert_true(is_told);
}

static void a_leaver_ranks_below_all_who_finish_and_the_replacing_bot_gets_the_score(void **state)
{
    struct driver *driver = *state;
    static const int64_t rest[] = {BOB, EVE};
    begin_rated_game(driver, 4);
    leave_game_for_good(driver, ADA);
    play_game_to_the_end(driver, rest, 2);
    assert_leaver_ranks_last(driver, "ada", 5);
    size_t bots = 0;
    size_t i;
    json_t *player;
    const json_t *result = driver_newest_message(driver, ADA, "result");
    json_array_foreach(json_object_get(read_newest_game_of_player(driver, "bob"), "players"), i,
                       player)
    {
        bots += is_bot_player(player);
        assert_true(!is_bot_player(player) || json_is_integer(json_object_get(player, "score")));
    }
    assert_int_equal(bots, 2);
    assert_true(json_is_integer(json_array_get(json_object_get(result, "scores"), 0)));
    assert_true(read_place_in_history(driver, "bob") > 0.0);
    assert_true(read_place_in_history(driver, "eve") > 0.0);
}

static void two_players_who_leave_at_once_share_the_last_place(void **state)
{
    struct driver *driver = *state;
    static const int64_t rest[] = {EVE};
    begin_rated_game(driver, 3);
    leave_game_for_good(driver, ADA);
    leave_game_for_good(driver, BOB);
    play_game_to_the_end(driver, rest, 1);
    assert_leaver_ranks_last(driver, "ada", 4);
    assert_leaver_ranks_last(driver, "bob", 4);
    assert_true(read_place_in_history(driver, "eve") == 100.0);
}

static void the_last_player_to_leave_does_not_win(void **state)
{
    struct driver *driver = *state;
    static const int64_t bob_and_eve[] = {BOB, EVE};
    static const int64_t eve[] = {EVE};
    begin_rated_game(driver, 3);
    leave_game_for_good(driver, ADA);
    (void)driver_play_moves(driver, bob_and_eve, 2, 4);
    leave_game_for_good(driver, BOB);
    (void)driver_play_moves(driver, eve, 1, 2);
    leave_game_for_good(driver, EVE);
    play_game_to_the_end(driver, eve, 1);
    assert_leaver_ranks_last(driver, "eve", 4);
    assert_leaver_ranks_last(driver, "bob", 5);
    assert_leaver_ranks_last(driver, "ada", 6);
    const json_t *me = json_object_get(
        driver_ok(driver, EVE, "{'t':'leaders','game':'%s'}", game_at(0)->id), "me");
    assert_true(json_number_value(json_object_get(me, "place")) == 0.0);
    assert_true(json_number_value(json_object_get(me, "finished")) == 0.0);
    assert_true(json_number_value(json_object_get(me, "wins")) == 0.0);
}

static void a_leaver_stays_a_leaver_after_a_restart(void **state)
{
    struct driver *driver = *state;
    static const int64_t stay[] = {ADA, EVE};
    begin_rated_game(driver, 3);
    leave_game_for_good(driver, BOB);
    driver_restart_core(driver);
    driver_reconnect_conns(driver, people, PEOPLE);
    play_game_to_the_end(driver, stay, ARRAY_LEN(stay));
    assert_leaver_ranks_last(driver, "bob", 4);
}

TEST_GROUP(leaving)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_leaver_ranks_below_all_who_finish_and_the_replacing_bot_gets_the_score),
        DRIVER_TEST(two_players_who_leave_at_once_share_the_last_place),
        DRIVER_TEST(the_last_player_to_leave_does_not_win),
        DRIVER_TEST(a_leaver_stays_a_leaver_after_a_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
