#include "games/game.h"
#include "storage/accounts/accounts.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

/* An account can be declared a bot's until its first game. Bots have a leaderboard of their own. */

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define ROBO (DRIVER_FIRST + 2)

#define BOT_ACCOUNT "{'t':'bot_account'}"

static void sign_up_two_people_and_a_bot(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, ROBO, "robo");
    driver_ok(driver, ROBO, BOT_ACCOUNT);
}

/* Has these connections play a game to its end, at a table with a clock. */
static void play_game_to_its_end(struct driver *driver, const int64_t *conns, size_t count)
{
    int64_t table = driver_open_table(driver, conns[0], (int)count, 30);
    for (size_t i = 1; i < count; i++) {
        driver_ok(driver, conns[i], "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, conns[i], "{'t':'seat_take'}");
    }
    driver_ok(driver, conns[0], "{'t':'table_start'}");
    assert_true(driver_play_moves(driver, conns, count, SIZE_MAX) > 100);
}

static const json_t *read_leaderboard_row_at(struct driver *driver, int64_t conn,
                                             const char *bots_filter, size_t index)
{
    const json_t *answer = driver_ok(driver, conn, "{'t':'leaders','game':'%s','bots':%s}",
                                     game_at(0)->id, bots_filter);
    return json_array_get(json_object_get(answer, "rows"), index);
}

static void an_account_marked_as_a_bot_is_always_shown_as_one(void **state)
{
    struct driver *driver = *state;
    sign_up_two_people_and_a_bot(driver);
    const json_t *you = json_object_get(driver_newest_message(driver, ROBO, "you"), "you");
    assert_string_equal(driver_read_text(you, "kind"), "bot");
    driver_ok(driver, ROBO, BOT_ACCOUNT);
    driver_disconnect(driver, ROBO);
    driver_restart_core(driver);
    driver_sign_in(driver, ROBO, "robo");
    driver_send(driver, ROBO, "{'t':'hello','protocol':3}");
    you = json_object_get(driver_newest_message(driver, ROBO, "welcome"), "you");
    assert_string_equal(driver_read_text(you, "kind"), "bot");
}

static void guests_staff_and_accounts_that_have_played_cannot_become_bots(void **state)
{
    struct driver *driver = *state;
    struct storage_account account;
    sign_up_two_people_and_a_bot(driver);
    driver_enter_as_guest(driver, ROBO + 1);
    driver_no(driver, ROBO + 1, "guest", BOT_ACCOUNT);

    play_game_to_its_end(driver, (const int64_t[]){ADA, BOB, ROBO}, 3);
    driver_no(driver, ADA, "played", BOT_ACCOUNT);

    driver_sign_up(driver, ROBO + 2, "eve");
    driver_disconnect(driver, ROBO + 2);
    assert_int_equal(storage_account_by_name(driver->storage, "eve", &account), STORAGE_OK);
    assert_int_equal(storage_account_set_role(driver->storage, account.id, STORAGE_ROLE_MOD),
                     STORAGE_OK);
    driver_sign_in(driver, ROBO + 2, "eve");
    driver_no(driver, ROBO + 2, "staff", BOT_ACCOUNT);
}

static void an_account_that_has_sat_down_cannot_become_a_bot(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    (void)driver_open_table(driver, ADA, 3, 30);
    driver_no(driver, ADA, "played", BOT_ACCOUNT);
}

static void a_bot_does_not_count_as_a_person_for_a_rated_game(void **state)
{
    struct driver *driver = *state;
    sign_up_two_people_and_a_bot(driver);
    play_game_to_its_end(driver, (const int64_t[]){ADA, ROBO, BOB}, 3);
    const json_t *ratings =
        json_object_get(driver_newest_message(driver, ADA, "result"), "ratings");
    for (size_t seat = 0; seat < 3; seat++) {
        assert_true(json_is_object(json_array_get(ratings, seat)));
    }
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_ok(driver, ROBO, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, ROBO, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    assert_true(
        json_is_false(json_object_get(driver_newest_message(driver, ADA, "table"), "is_rated")));
    const json_t *seats = json_object_get(driver_newest_message(driver, ADA, "table"), "seats");
    assert_true(json_is_true(json_object_get(json_array_get(seats, 1), "is_program")));
    assert_null(json_object_get(json_array_get(seats, 0), "is_program"));
}

/* One person's rating rises by as much as the other person's falls, so the bot has changed neither.
 */
static void a_bot_changes_nobodys_rating_and_has_its_own_leaderboard(void **state)
{
    struct driver *driver = *state;
    sign_up_two_people_and_a_bot(driver);
    play_game_to_its_end(driver, (const int64_t[]){ADA, ROBO, BOB}, 3);
    const json_t *ratings =
        json_object_get(driver_newest_message(driver, ADA, "result"), "ratings");
    int64_t sum = 0;
    for (size_t seat = 0; seat < 3; seat++) {
        const json_t *rating = json_array_get(ratings, seat);
        const json_t *by = json_object_get(rating, "by");
        sum += seat == 1
                   ? 0
                   : driver_read_number(rating, "after") - driver_read_number(rating, "before");
        for (size_t i = 0; seat != 1 && i < json_array_size(by); i++) {
            assert_int_not_equal(driver_read_number(json_array_get(by, i), "seat"), 1);
        }
    }
    assert_int_equal(sum, 0);
    assert_string_not_equal(
        driver_read_text(read_leaderboard_row_at(driver, ADA, "false", 0), "name"), "robo");
    assert_string_not_equal(
        driver_read_text(read_leaderboard_row_at(driver, ADA, "false", 1), "name"), "robo");
    assert_null(read_leaderboard_row_at(driver, ADA, "false", 2));
    assert_string_equal(driver_read_text(read_leaderboard_row_at(driver, ADA, "true", 0), "name"),
                        "robo");
    assert_null(read_leaderboard_row_at(driver, ADA, "true", 1));
}

/* If bots counted, people could avoid the lower weight of repeated games by adding a different bot
 * to each game. */
static void a_game_of_the_same_people_is_a_repeated_game_whatever_bots_play_too(void **state)
{
    struct driver *driver = *state;
    sign_up_two_people_and_a_bot(driver);
    driver_sign_up(driver, ROBO + 1, "robo2");
    driver_ok(driver, ROBO + 1, BOT_ACCOUNT);
    play_game_to_its_end(driver, (const int64_t[]){ADA, ROBO, BOB}, 3);
    driver_clear_inbox(driver, ADA);
    static const int64_t programs[] = {ROBO, ROBO + 1};
    for (size_t i = 0; i < 2; i++) {
        int64_t table = driver_open_table(driver, ADA, 3, 30);
        driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, BOB, "{'t':'seat_take'}");
        driver_ok(driver, programs[i], "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, programs[i], "{'t':'seat_take'}");
        const json_t *answer = driver_ok(driver, ADA, "{'t':'assess'}");
        assert_true(json_number_value(json_object_get(answer, "weight")) == 0.5);
    }
    driver_ok(driver, ADA, "{'t':'table_start'}");
    static const int64_t all[] = {ADA, BOB, ROBO + 1};
    assert_true(driver_play_moves(driver, all, 3, SIZE_MAX) > 100);
    driver_ok(driver, ADA, "{'t':'table_set','players':3}");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'assess'}");
    assert_true(json_number_value(json_object_get(answer, "weight")) == 0.25);
}

static void a_bot_account_may_open_fewer_tables_than_a_person(void **state)
{
    struct driver *driver = *state;
    driver->config.limits_tables_each_bot = 1;
    driver_restart_core(driver);
    sign_up_two_people_and_a_bot(driver);
    (void)driver_open_table(driver, ADA, 3, 30);
    (void)driver_open_table(driver, ADA, 3, 30);
    (void)driver_open_table(driver, ROBO, 3, 30);
    driver_no(driver, ROBO, "too_many",
              "{'t':'table_open','game':'%s','players':3,'options':{},'clock_s':30}",
              game_at(0)->id);
}

TEST_GROUP(bot_accounts)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(an_account_marked_as_a_bot_is_always_shown_as_one),
        DRIVER_TEST(guests_staff_and_accounts_that_have_played_cannot_become_bots),
        DRIVER_TEST(an_account_that_has_sat_down_cannot_become_a_bot),
        DRIVER_TEST(a_bot_does_not_count_as_a_person_for_a_rated_game),
        DRIVER_TEST(a_bot_changes_nobodys_rating_and_has_its_own_leaderboard),
        DRIVER_TEST(a_game_of_the_same_people_is_a_repeated_game_whatever_bots_play_too),
        DRIVER_TEST(a_bot_account_may_open_fewer_tables_than_a_person),
    };
    return cmocka_run_group_tests_name("bot accounts", tests, NULL, NULL);
}
