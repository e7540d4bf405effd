#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>

/* A game ends as soon as nobody plays it, may come back to it, or watches it. */

#define ADA DRIVER_FIRST
#define EVE (DRIVER_FIRST + 1)
#define GUEST (DRIVER_FIRST + 2)
#define BOT_MOVES_MS 20000

static int64_t begin_game_with_bots(struct driver *driver, int64_t conn)
{
    int64_t table = driver_open_table(driver, conn, 3, 0);
    driver_ok(driver, conn, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, conn, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, conn, "{'t':'table_start'}");
    return table;
}

static void leave_for_good(struct driver *driver, int64_t conn)
{
    driver_ok(driver, conn, "{'t':'seat_leave','for_good':true}");
    driver_ok(driver, conn, "{'t':'table_leave'}");
}

static struct table *find_table(const struct driver *driver, int64_t id)
{
    return index_find(&tables_of(driver->house)->by_id, &id, sizeof(id));
}

/* Lets the bots move a while, and checks that the table is closed. */
static void expect_closed(struct driver *driver, int64_t table)
{
    driver_pass_time(driver, 1);
    assert_null(find_table(driver, table));
    driver_pass_time(driver, BOT_MOVES_MS);
}

static enum storage_result read_game(const struct driver *driver, int64_t id,
                                     struct storage_game *game)
{
    return storage_game_read(driver->house->storage, id, game);
}

static void a_game_ends_when_its_last_person_leaves_for_good(void **state)
{
    struct driver *driver = *state;
    struct storage_game game;
    const int64_t only_ada[] = {ADA};
    driver_sign_up(driver, ADA, "ada");
    int64_t table = begin_game_with_bots(driver, ADA);
    int64_t id = find_table(driver, table)->row.game_id;
    assert_int_equal(driver_play_moves(driver, only_ada, 1, 1), 1);
    leave_for_good(driver, ADA);
    expect_closed(driver, table);
    assert_int_equal(read_game(driver, id, &game), STORAGE_OK);
    assert_int_equal(game.state, STORAGE_GAME_CUT);
}

static void a_game_in_which_no_person_has_moved_is_not_kept(void **state)
{
    struct driver *driver = *state;
    struct storage_game game;
    driver_sign_up(driver, ADA, "ada");
    for (int i = 0; i < 2; i++) {
        int64_t table =
            i == 0
                ? begin_game_with_bots(driver, ADA)
                : driver_read_number(
                      driver_ok(driver, ADA, "{'t':'learn','game':'%s'}", game_at(0)->id), "table");
        int64_t id = find_table(driver, table)->row.game_id;
        assert_int_equal(read_game(driver, id, &game), STORAGE_OK);
        if (i == 0) {
            leave_for_good(driver, ADA);
        } else {
            driver_ok(driver, ADA, "{'t':'table_leave'}");
        }
        expect_closed(driver, table);
        assert_int_equal(read_game(driver, id, &game), STORAGE_NOT_FOUND);
    }
    driver_restart_core(driver);
}

static void a_game_goes_on_while_somebody_watches_it(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, EVE, "eve");
    int64_t table = begin_game_with_bots(driver, ADA);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    leave_for_good(driver, ADA);
    driver_pass_time(driver, BOT_MOVES_MS);
    assert_non_null(find_table(driver, table));
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    expect_closed(driver, table);
}

static void a_game_goes_on_for_an_account_that_may_come_back_but_not_for_a_guest(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_pass_time(driver, 60000); /* the core was not restarted a moment ago */
    driver_enter_as_guest(driver, GUEST);
    int64_t adas = begin_game_with_bots(driver, ADA);
    int64_t guests = begin_game_with_bots(driver, GUEST);
    driver_disconnect(driver, ADA);
    driver_disconnect(driver, GUEST);
    expect_closed(driver, guests);
    assert_non_null(find_table(driver, adas));
}

static void a_guest_comes_back_after_a_restart_of_the_core(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, GUEST);
    int64_t table = begin_game_with_bots(driver, GUEST);
    driver_restart_core(driver);
    driver_pass_time(driver, 30000);
    assert_non_null(find_table(driver, table));
    driver_connect_session(driver, GUEST);
    driver_pass_time(driver, 60000);
    assert_non_null(find_table(driver, table));
    driver_restart_core(driver);
    driver_pass_time(driver, 61000);
    expect_closed(driver, table);
}

TEST_GROUP(deserted_games)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_game_ends_when_its_last_person_leaves_for_good),
        DRIVER_TEST(a_game_in_which_no_person_has_moved_is_not_kept),
        DRIVER_TEST(a_game_goes_on_while_somebody_watches_it),
        DRIVER_TEST(a_game_goes_on_for_an_account_that_may_come_back_but_not_for_a_guest),
        DRIVER_TEST(a_guest_comes_back_after_a_restart_of_the_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
