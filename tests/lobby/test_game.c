#include "tests/lobby/house_driver.h"

#include "games/game.h"

#include <inttypes.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)

static const int64_t both[] = {ADA, BOB};

/* A rated table of two people and two bots, begun. */
static int64_t begin_four(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    int64_t table = driver_open_table(driver, ADA, 4, 30);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'careful'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'random'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    return table;
}

static void two_people_and_two_bots_play_to_ratings_history_and_leaderboard(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_four(driver);
    assert_true(driver_play(driver, both, 2, SIZE_MAX) > 100);
    const json_t *result = driver_newest(driver, ADA, "result");
    assert_non_null(result);
    assert_int_equal(driver_number(result, "table"), table);
    assert_int_equal(strlen(driver_text(result, "seed")), 64);
    const json_t *ratings = json_object_get(result, "ratings");
    assert_int_equal(json_array_size(ratings), 4);
    for (size_t seat = 0; seat < 4; seat++) {
        const json_t *rating = json_array_get(ratings, seat);
        assert_true(json_is_object(rating));
        size_t opponents = json_array_size(json_object_get(rating, "by"));
        assert_int_equal(opponents, seat < 2 ? 1 : 3);
    }
    const json_t *games = driver_ok(driver, ADA, "{'t':'games','count':10}");
    const json_t *row = json_array_get(json_object_get(games, "rows"), 0);
    assert_int_equal(driver_number(row, "game_id"), driver_number(result, "game_id"));
    assert_int_equal(json_array_size(json_object_get(row, "players")), 4);
    assert_true(json_is_real(json_object_get(row, "change")));
    const json_t *leaders =
        driver_ok(driver, BOB, "{'t':'leaders','game':'%s','offset':0,'count':50}", game_at(0)->id);
    assert_int_equal(driver_number(leaders, "total"), 2);
    assert_true(json_is_true(json_object_get(leaders, "is_young")));
    assert_string_equal(driver_text(json_object_get(leaders, "me"), "name"), "bob");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(two_people_and_two_bots_play_to_ratings_history_and_leaderboard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
