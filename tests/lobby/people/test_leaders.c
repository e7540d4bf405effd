#include "tests/lobby/full_house.h"
#include "tests/lobby/house_driver.h"

#include "games/game.h"
#include "lobby/house/house_state.h"
#include "storage/accounts/accounts.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

static const int64_t both[] = {ADA, BOB};

/* Signs up Ada and Bob and seats them with a bot at a table whose game will be rated; returns the
 * table's number. */
static int64_t seat_ada_bob_and_a_bot(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    return table;
}

static const json_t *read_leaderboard_rows(const json_t *answer)
{
    return json_object_get(answer, "rows");
}

static size_t count_leaders_listed(struct driver *driver, const char *filters)
{
    return json_array_size(read_leaderboard_rows(
        driver_ok(driver, ADA, "{'t':'leaders','game':'%s'%s}", game_at(0)->id, filters)));
}

static void each_leaderboard_filter_lists_accounts_with_a_matching_game(void **state)
{
    struct driver *driver = *state;
    (void)seat_ada_bob_and_a_bot(driver);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    assert_int_equal(count_leaders_listed(driver, ""), 2);
    assert_int_equal(count_leaders_listed(driver, ",'players':3"), 2);
    assert_int_equal(count_leaders_listed(driver, ",'players':4"), 0);
    assert_int_equal(count_leaders_listed(driver, ",'span':'season'"), 2);
    assert_int_equal(count_leaders_listed(driver, ",'span':'season','season':20201"), 0);
    assert_int_equal(count_leaders_listed(driver, ",'span':'week','players':3"), 2);
    assert_int_equal(count_leaders_listed(driver, ",'bots':true"), 1);
    const json_t *bot =
        json_array_get(read_leaderboard_rows(driver_ok(
                           driver, ADA, "{'t':'leaders','game':'%s','bots':true}", game_at(0)->id)),
                       0);
    assert_string_equal(driver_read_text(bot, "level"), "medium");
    assert_int_equal(count_leaders_listed(driver, ",'among':'friends'"), 1);
    driver_ok(driver, ADA, "{'t':'friend_add','name':'bob'}");
    assert_int_equal(count_leaders_listed(driver, ",'among':'friends'"), 2);
    driver_no(driver, ADA, "bad", "{'t':'leaders','game':'%s','span':'year'}", game_at(0)->id);
    driver_no(driver, ADA, "bad", "{'t':'leaders','game':'%s','players':8}", game_at(0)->id);
    driver_no(driver, ADA, "bad", "{'t':'leaders','game':'%s','among':'foes'}", game_at(0)->id);
    driver_pass_time(driver, 8 * INT64_C(86400000));
    assert_int_equal(count_leaders_listed(driver, ",'span':'week'"), 0);
    assert_int_equal(count_leaders_listed(driver, ",'span':'month'"), 2);
    assert_int_equal(count_leaders_listed(driver, ""), 2);
}

static void a_profile_contains_the_number_of_games_and_a_chart_of_the_rating(void **state)
{
    struct driver *driver = *state;
    (void)seat_ada_bob_and_a_bot(driver);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    const json_t *before = driver_ok(driver, ADA, "{'t':'profile'}");
    assert_int_equal(json_array_size(json_object_get(before, "games")), 0);
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    const json_t *answer = driver_ok(driver, ADA, "{'t':'profile','name':'bob'}");
    assert_string_equal(driver_read_text(answer, "name"), "bob");
    assert_true(json_is_true(json_object_get(answer, "is_here")));
    const json_t *game = json_array_get(json_object_get(answer, "games"), 0);
    assert_string_equal(driver_read_text(game, "game"), game_at(0)->id);
    assert_int_equal(driver_read_number(game, "games"), 1);
    const json_t *chart = json_object_get(game, "chart");
    assert_int_equal(json_array_size(chart), 2);
    assert_int_equal(json_integer_value(json_array_get(chart, 0)), 1500);
    assert_int_equal(json_integer_value(json_array_get(chart, 1)),
                     driver_read_number(game, "rating"));
    driver_no(driver, ADA, "unknown", "{'t':'profile','name':'nobody'}");
}

/* Returns the person's rank in the first game of the registry, as their profile shows it; -1: it
 * shows none. */
static int64_t read_rank_in_profile(struct driver *driver, const char *name)
{
    size_t i;
    const json_t *game;
    const json_t *answer = driver_ok(driver, ADA, "{'t':'profile','name':'%s'}", name);
    json_array_foreach(json_object_get(answer, "games"), i, game)
    {
        if (strcmp(driver_read_text(game, "game"), game_at(0)->id) == 0) {
            return driver_read_number(game, "rank");
        }
    }
    return -1;
}

/* Checks that each rank on the first page of the leaderboard is also in that person's profile;
 * returns the number of people on the page. */
static size_t check_ranks_against_profiles(struct driver *driver)
{
    size_t i;
    const json_t *row;
    json_t *page = json_deep_copy(read_leaderboard_rows(
        driver_ok(driver, ADA, "{'t':'leaders','game':'%s'}", game_at(0)->id)));
    json_array_foreach(page, i, row)
    {
        driver_pass_time(driver, 1000);
        assert_true(driver_read_number(row, "rank") > 0);
        assert_int_equal(read_rank_in_profile(driver, driver_read_text(row, "name")),
                         driver_read_number(row, "rank"));
    }
    json_decref(page);
    return i;
}

static void a_profile_contains_a_rank_even_in_a_new_house(void **state)
{
    struct driver *driver = *state;
    (void)seat_ada_bob_and_a_bot(driver);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    assert_int_equal(check_ranks_against_profiles(driver), 2);
}

static double read_predicted_rating_change(const json_t *prediction, size_t place)
{
    const json_t *row = json_array_get(json_object_get(prediction, "places"), place - 1);
    assert_int_equal(driver_read_number(row, "place"), place);
    return json_number_value(json_object_get(row, "change"));
}

static void the_change_predicted_before_a_game_matches_the_rating_change(void **state)
{
    struct driver *driver = *state;
    (void)seat_ada_bob_and_a_bot(driver);
    const json_t *before = driver_ok(driver, ADA, "{'t':'assess'}");
    assert_true(json_is_true(json_object_get(before, "is_rated")));
    assert_int_equal(json_array_size(json_object_get(before, "places")),
                     2); /* bots are not counted */
    double first = read_predicted_rating_change(before, 1);
    double last = read_predicted_rating_change(before, 2);
    assert_true(first > 0.0 && fabs(first + last) < 0.05);
    driver_ok(driver, ADA, "{'t':'table_start'}");
    assert_true(fabs(read_predicted_rating_change(driver_ok(driver, ADA, "{'t':'assess'}"), 1) -
                     first) < 0.05);
    (void)driver_play_moves(driver, both, 2, SIZE_MAX);
    const json_t *ratings =
        json_object_get(driver_newest_message(driver, ADA, "result"), "ratings");
    const json_t *by = json_object_get(json_array_get(ratings, 0), "by");
    double change = json_number_value(json_object_get(json_array_get(by, 0), "change"));
    assert_true(json_array_size(by) == 0 || fabs(change - first) < 0.05 ||
                fabs(change - last) < 0.05);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    driver_no(driver, BOB, "no_table", "{'t':'assess'}");
}

/* Returns the processor time that this process has used, so that other processes do not disturb the
 * measurement. */
static double measure_processor_time_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1000.0 + (double)now.tv_nsec / 1e6;
}

/* A request for a leaderboard reads many parts of the database file, so it costs as much as several
 * messages. */
static void a_leaderboard_request_counts_as_several_messages(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, ADA);
    driver_pass_time(driver, 60000);
    int asked = (int)driver->config.limits_input_burst / LIMIT_LEADERS_COST;
    for (int i = 0; i < asked; i++) {
        driver_ok(driver, ADA, "{'t':'leaders','game':'%s'}", game_at(0)->id);
    }
    driver_no(driver, ADA, "too_fast", "{'t':'leaders','game':'%s'}", game_at(0)->id);
    driver_pass_time(driver, 1000);
    driver_ok(driver, ADA, "{'t':'leaders','game':'%s'}", game_at(0)->id);
}

/* To measure with more accounts, run build/release/tests/load_leaders. */
static void leaderboards_of_thousands_of_accounts_are_answered_quickly(void **state)
{
    static const char *const filters[] = {"",
                                          ",'players':4",
                                          ",'span':'month'",
                                          ",'span':'week','players':3",
                                          ",'span':'season'",
                                          ",'offset':100"};
    struct driver *driver = *state;
    struct full_house full = {.accounts = 3000, .games = 15000, .seed = 3};
    char why[STORAGE_WHY_SIZE];
    char path[sizeof(driver->path) + 8];

    full.now_ms = driver->now_ms;
    (void)snprintf(path, sizeof(path), "%s.full", driver->path);
    full_house_create(&full, path);
    struct storage *own = driver->storage;
    struct house *own_house = driver->house;
    assert_int_equal(storage_open(path, &driver->storage, why), STORAGE_OK);
    driver->house = house_new(&driver->config, driver->storage, driver->now_ms);
    assert_non_null(driver->house);
    driver_connect(driver, DRIVER_AUTH, PEER_AUTH);
    driver_send(driver, DRIVER_AUTH, "{'t':'hello','protocol':3,'software':'auth'}");
    driver_enter_as_guest(driver, ADA);
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        double from_ms = measure_processor_time_ms();
        assert_true(count_leaders_listed(driver, filters[i]) > 0);
        assert_true(measure_processor_time_ms() - from_ms < 50.0);
    }
    assert_int_equal(check_ranks_against_profiles(driver), 50);
    house_free(driver->house);
    storage_close(driver->storage);
    (void)unlink(path);
    driver->house = own_house;
    driver->storage = own;
}

TEST_GROUP(leaders)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(each_leaderboard_filter_lists_accounts_with_a_matching_game),
        DRIVER_TEST(a_profile_contains_the_number_of_games_and_a_chart_of_the_rating),
        DRIVER_TEST(a_profile_contains_a_rank_even_in_a_new_house),
        DRIVER_TEST(the_change_predicted_before_a_game_matches_the_rating_change),
        DRIVER_TEST(a_leaderboard_request_counts_as_several_messages),
        DRIVER_TEST(leaderboards_of_thousands_of_accounts_are_answered_quickly),
    };

    return cmocka_run_group_tests_name("leaders", tests, NULL, NULL);
}
