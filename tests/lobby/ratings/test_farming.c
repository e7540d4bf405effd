#include "games/game.h"
#include "lobby/ratings/ratings.h"
#include "storage/accounts/accounts.h"
#include "storage/ratings/ratings.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <math.h>

/* Helpers raise a rating only a little: by leaving, by playing again and again, with new accounts,
 * or with accounts of one person. */

#define HELPERS 5
#define SEATS 4
#define WINNER DRIVER_FIRST
#define HELPER(number) (DRIVER_FIRST + 1 + (number))
#define STAFF (DRIVER_FIRST + 10)

static void sign_up_players(struct driver *driver, int count, const char *network)
{
    static const char *const names[] = {"ada", "bob", "eve", "uma", "max", "ivy"};
    for (int i = 0; i < count; i++) {
        char address[32];
        (void)snprintf(address, sizeof(address), "%s%d", network, i);
        driver_sign_up_from(driver, DRIVER_FIRST + i, names[i], address);
    }
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}");
    driver->has_bots = true;
}

/* Seats the helpers at a table of the winner's. Returns how much a game counts for the winner. */
static double open_table_with(struct driver *driver, const int64_t *helpers, size_t count)
{
    int64_t table = driver_open_table(driver, WINNER, SEATS, 30);
    for (size_t i = 0; i < count; i++) {
        driver_ok(driver, helpers[i], "{'t':'table_enter','table':%" PRId64 "}", table);
        driver_ok(driver, helpers[i], "{'t':'seat_take'}");
    }
    for (size_t i = count + 1; i < SEATS; i++) {
        driver_ok(driver, WINNER, "{'t':'bot_add','policy':'easy'}");
    }
    return json_number_value(
        json_object_get(driver_ok(driver, WINNER, "{'t':'assess'}"), "weight"));
}

static void leave_table(struct driver *driver, const int64_t *helpers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        driver_ok(driver, helpers[i], "{'t':'table_leave'}");
    }
    driver_ok(driver, WINNER, "{'t':'table_leave'}");
    driver_pass_time(driver, 60000);
}

/* Plays a game in which the helpers leave before the first move. */
static void play_game_that_helpers_leave(struct driver *driver, const int64_t *helpers,
                                         size_t count)
{
    const int64_t winner = WINNER;
    driver_clear_inbox(driver, WINNER);
    (void)open_table_with(driver, helpers, count);
    driver_ok(driver, WINNER, "{'t':'table_start'}");
    for (size_t i = 0; i < count; i++) {
        driver_ok(driver, helpers[i], "{'t':'seat_leave','for_good':true}");
    }
    (void)driver_play_moves(driver, &winner, 1, SIZE_MAX);
    assert_non_null(driver_newest_message(driver, WINNER, "result"));
    leave_table(driver, helpers, count);
}

static struct storage_rating read_rating(struct driver *driver, const char *name)
{
    struct storage_account account;
    struct storage_rating rating;
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    assert_int_equal(storage_rating_read(driver->storage, account.id, game_at(0)->id, 0, &rating),
                     STORAGE_OK);
    return rating;
}

static void helpers_who_leave_before_their_first_move_raise_no_rating(void **state)
{
    struct driver *driver = *state;
    sign_up_players(driver, 1 + HELPERS, "192.0.2.");
    for (int a = 0; a < HELPERS; a++) {
        for (int b = a + 1; b < HELPERS; b++) {
            for (int c = b + 1; c < HELPERS; c++) {
                const int64_t helpers[] = {HELPER(a), HELPER(b), HELPER(c)};
                play_game_that_helpers_leave(driver, helpers, 3);
            }
        }
    }
    struct storage_rating winner = read_rating(driver, "ada");
    assert_int_equal(winner.games, 10);
    assert_true(fabs(rating_points(winner.mu) - 1500.0) < 5.0);
    assert_true(read_rating(driver, "bob").mu < 25.0); /* who leaves loses all the same */
}

static void staff_are_told_once_a_day_of_wins_against_people_who_left(void **state)
{
    struct driver *driver = *state;
    const int64_t helper = HELPER(0);
    struct storage_account account;
    sign_up_players(driver, 1 + HELPERS, "192.0.2.");
    driver_sign_up(driver, STAFF, "judy");
    assert_int_equal(storage_account_by_name(driver->storage, "judy", &account), STORAGE_OK);
    driver_disconnect(driver, STAFF);
    assert_int_equal(storage_account_set_role(driver->storage, account.id, STORAGE_ROLE_MOD),
                     STORAGE_OK);
    driver_sign_in(driver, STAFF, "judy");
    for (size_t games = 1; games <= 5; games++) {
        play_game_that_helpers_leave(driver, &helper, 1);
        assert_int_equal(
            driver_count_messages_with_words(driver, STAFF, NULL, "has won 3 rated games today"),
            games >= 3);
    }
    assert_int_equal(driver_count_messages_with_words(driver, STAFF, NULL, "rated games today"), 1);
}

/* Each pair of players counts, so that another fourth player does not make a game a new one. */
static void an_evening_of_four_friends_begins_at_full_weight_and_then_counts_by_pairs(void **state)
{
    struct driver *driver = *state;
    const int64_t all[] = {WINNER, HELPER(0), HELPER(1), HELPER(2)};
    const int64_t others[] = {HELPER(0), HELPER(1), HELPER(3)};
    sign_up_players(driver, 1 + HELPERS, "192.0.2.");
    assert_true(open_table_with(driver, &all[1], 3) == 1.0);
    driver_ok(driver, WINNER, "{'t':'table_start'}");
    (void)driver_play_moves(driver, all, 4, SIZE_MAX);
    leave_table(driver, &all[1], 3);
    assert_true(open_table_with(driver, &all[1], 3) == 0.5);
    leave_table(driver, &all[1], 3);
    assert_true(fabs(open_table_with(driver, others, 3) - (0.5 + 0.5 + 1.0) / 3.0) < 1e-9);
}

static void accounts_that_share_an_address_count_a_quarter_for_each_other(void **state)
{
    struct driver *driver = *state;
    const int64_t helpers[] = {HELPER(0), HELPER(1)};
    sign_up_players(driver, 3, "2001:db8::");
    assert_true(open_table_with(driver, helpers, 2) == RATING_WEIGHT_OF_DOUBT);
}

static void a_new_account_counts_a_quarter_for_older_ones_but_plays_at_full_weight(void **state)
{
    struct driver *driver = *state;
    const int64_t newcomer = STAFF;
    const int64_t helper = HELPER(0);
    sign_up_players(driver, 1 + HELPERS, "192.0.2.");
    driver_pass_time(driver, 2 * RATING_NEW_ACCOUNT_MS);
    driver_sign_up_from(driver, newcomer, "newt", "192.0.2.99");
    assert_true(open_table_with(driver, &newcomer, 1) == RATING_WEIGHT_OF_DOUBT);
    const json_t *answer = driver_ok(driver, newcomer, "{'t':'assess'}");
    assert_true(json_number_value(json_object_get(answer, "weight")) == 1.0);
    leave_table(driver, &newcomer, 1);
    assert_true(open_table_with(driver, &helper, 1) == 1.0);
}

TEST_GROUP(farming)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(helpers_who_leave_before_their_first_move_raise_no_rating),
        DRIVER_TEST(staff_are_told_once_a_day_of_wins_against_people_who_left),
        DRIVER_TEST(an_evening_of_four_friends_begins_at_full_weight_and_then_counts_by_pairs),
        DRIVER_TEST(accounts_that_share_an_address_count_a_quarter_for_each_other),
        DRIVER_TEST(a_new_account_counts_a_quarter_for_older_ones_but_plays_at_full_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
