#include "storage/tables/tables.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

/* Has Ada play a game to its end; returns the game's number. */
static int64_t finish_game(struct driver *driver)
{
    static const int64_t conns[] = {ADA};
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    (void)driver_open_table(driver, ADA, 3, 0);
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    (void)driver_play_moves(driver, conns, 1, SIZE_MAX);
    return driver_read_number(driver_newest_message(driver, ADA, "result"), "game_id");
}

static void check_newest_replay_message(const struct driver *driver, int64_t conn,
                                        const char *leader, int64_t step, size_t participant_count)
{
    const json_t *review = driver_newest_message(driver, conn, "review");
    assert_string_equal(driver_read_text(review, "leader"), leader);
    assert_int_equal(driver_read_number(review, "step"), step);
    assert_int_equal(json_array_size(json_object_get(review, "people")), participant_count);
}

static void followers_of_a_shared_replay_see_the_step_that_its_leader_sees(void **state)
{
    struct driver *driver = *state;
    int64_t game = finish_game(driver);
    driver_ok(driver, ADA, "{'t':'review_open','game_id':%" PRId64 "}", game);
    const json_t *answer = driver_ok(driver, BOB, "{'t':'review_follow','name':'ada'}");
    assert_int_equal(driver_read_number(answer, "game_id"), game);
    driver_ok(driver, ADA, "{'t':'review_go','step':17,'seat':1}");
    check_newest_replay_message(driver, BOB, "ada", 17, 2);
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "review"), "seat"), 1);
    driver_ok(driver, EVE,
              "{'t':'review_follow','name':'bob'}"); /* people can also join the replay by naming a
                                                        follower instead of the leader */
    check_newest_replay_message(driver, EVE, "ada", 17, 3);
}

static void only_the_leader_of_a_shared_replay_can_change_its_step(void **state)
{
    struct driver *driver = *state;
    int64_t game = finish_game(driver);
    driver_ok(driver, ADA, "{'t':'review_open','game_id':%" PRId64 "}", game);
    driver_no(driver, BOB, "not_leader", "{'t':'review_go','step':3}");
    driver_ok(driver, BOB, "{'t':'review_follow','name':'ada'}");
    driver_no(driver, BOB, "not_leader", "{'t':'review_go','step':3}");
    driver_no(driver, BOB, "not_leader", "{'t':'review_hand','name':'bob'}");
    driver_no(driver, ADA, "absent", "{'t':'review_hand','name':'eve'}");
    driver_no(driver, ADA, "bad", "{'t':'review_go','step':-1}");
    driver_no(driver, ADA, "bad", "{'t':'review_go','step':1,'seat':99}");
    driver_ok(driver, ADA, "{'t':'review_hand','name':'bob'}");
    driver_ok(driver, BOB, "{'t':'review_go','step':5}");
    check_newest_replay_message(driver, ADA, "bob", 5, 2);
    driver_no(driver, ADA, "not_leader", "{'t':'review_go','step':3}");
}

static void when_the_leader_of_a_shared_replay_leaves_another_participant_leads(void **state)
{
    struct driver *driver = *state;
    int64_t game = finish_game(driver);
    driver_ok(driver, ADA, "{'t':'review_open','game_id':%" PRId64 "}", game);
    driver_ok(driver, BOB, "{'t':'review_follow','name':'ada'}");
    driver_ok(driver, EVE, "{'t':'review_follow','name':'ada'}");
    driver_disconnect(driver, ADA);
    driver_commit(driver);
    check_newest_replay_message(driver, EVE, "bob", 0, 2);
    driver_ok(driver, BOB, "{'t':'review_leave'}");
    check_newest_replay_message(driver, EVE, "eve", 0, 1);
    driver_ok(driver, EVE, "{'t':'review_leave'}");
    driver_ok(driver, EVE, "{'t':'review_leave'}");
    driver_no(driver, BOB, "absent", "{'t':'review_follow','name':'eve'}");
}

static void a_game_in_play_cannot_be_replayed(void **state)
{
    struct driver *driver = *state;
    (void)finish_game(driver);
    driver_ok(driver, ADA, "{'t':'rematch'}");
    int64_t game = driver_read_number(driver_newest_message(driver, ADA, "table"), "game_id");
    driver_no(driver, ADA, "unfinished", "{'t':'review_open','game_id':%" PRId64 "}", game);
    driver_no(driver, ADA, "unknown", "{'t':'review_open','game_id':999}");
    driver_no(driver, ADA, "unknown", "{'t':'review_open'}");
}

static void whoever_opens_another_shared_replay_leaves_the_earlier_one(void **state)
{
    struct driver *driver = *state;
    int64_t game = finish_game(driver);
    driver_ok(driver, ADA, "{'t':'review_open','game_id':%" PRId64 "}", game);
    driver_ok(driver, BOB, "{'t':'review_follow','name':'ada'}");
    driver_ok(driver, BOB, "{'t':'review_open','game_id':%" PRId64 "}", game);
    check_newest_replay_message(driver, ADA, "ada", 0, 1);
    check_newest_replay_message(driver, BOB, "bob", 0, 1);
    driver_ok(driver, ADA, "{'t':'review_follow','name':'bob'}");
    check_newest_replay_message(driver, ADA, "bob", 0, 2);
}

static const int64_t all[] = {ADA, BOB, EVE};

static void a_shared_replay_keeps_its_step_when_the_core_is_killed(void **state)
{
    struct driver *driver = *state;
    int64_t game = finish_game(driver);
    driver_ok(driver, ADA, "{'t':'review_open','game_id':%" PRId64 "}", game);
    driver_ok(driver, BOB, "{'t':'review_follow','name':'ada'}");
    driver_ok(driver, EVE, "{'t':'review_follow','name':'ada'}");
    driver_ok(driver, ADA, "{'t':'review_go','step':17,'seat':1}");
    driver_restart_core(driver);
    driver_reconnect_conns(driver, all, 3);
    check_newest_replay_message(driver, EVE, "ada", 17, 3);
    assert_int_equal(driver_read_number(driver_newest_message(driver, EVE, "review"), "game_id"),
                     game);
    assert_int_equal(driver_read_number(driver_newest_message(driver, EVE, "review"), "seat"), 1);
    driver_ok(driver, ADA, "{'t':'review_go','step':18}");
    driver_restart_core(driver);
    driver_reconnect_conns(driver, all, 3);
    check_newest_replay_message(driver, BOB, "ada", 18, 3);
    assert_true(
        json_is_null(json_object_get(driver_newest_message(driver, BOB, "review"), "seat")));
}

static void the_order_of_a_shared_replays_participants_survives_a_restart(void **state)
{
    static const int64_t others[] = {BOB, ADA};
    struct driver *driver = *state;
    int64_t game = finish_game(driver);
    driver_ok(driver, ADA, "{'t':'review_open','game_id':%" PRId64 "}", game);
    driver_ok(driver, BOB, "{'t':'review_follow','name':'ada'}");
    driver_ok(driver, EVE, "{'t':'review_follow','name':'ada'}");
    driver_ok(driver, ADA, "{'t':'review_hand','name':'eve'}");
    driver_restart_core(driver);
    driver_reconnect_conns(driver, all, 3);
    check_newest_replay_message(driver, BOB, "eve", 0, 3);
    driver_restart_core(driver);
    driver_reconnect_conns(driver, others, 2); /* Eve's connection ended during the restart */
    check_newest_replay_message(driver, BOB, "ada", 0, 2);
}

static size_t count_stored_replays(struct driver *driver)
{
    size_t count = 0;
    struct storage_shared_replay review;
    for (int64_t id = 1; id < 10; id++) {
        count += storage_shared_replay_read(driver->storage, id, &review) == STORAGE_OK;
    }
    return count;
}

static void a_shared_replay_that_everybody_left_is_deleted(void **state)
{
    struct driver *driver = *state;
    int64_t game = finish_game(driver);
    driver_ok(driver, ADA, "{'t':'review_open','game_id':%" PRId64 "}", game);
    assert_int_equal(count_stored_replays(driver), 1);
    driver_ok(driver, ADA, "{'t':'review_leave'}");
    assert_int_equal(count_stored_replays(driver), 0);
    driver_restart_core(driver);
    driver_reconnect_conns(driver, all, 3);
    assert_null(driver_newest_message(driver, ADA, "review"));
    driver_ok(driver, ADA, "{'t':'review_open','game_id':%" PRId64 "}", game);
    driver_restart_core(driver);
    driver_reconnect_conns(driver, &all[1], 2);
    assert_int_equal(count_stored_replays(driver), 0);
    driver_no(driver, BOB, "absent", "{'t':'review_follow','name':'ada'}");
}

TEST_GROUP(shared_replays)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(followers_of_a_shared_replay_see_the_step_that_its_leader_sees),
        DRIVER_TEST(only_the_leader_of_a_shared_replay_can_change_its_step),
        DRIVER_TEST(when_the_leader_of_a_shared_replay_leaves_another_participant_leads),
        DRIVER_TEST(a_game_in_play_cannot_be_replayed),
        DRIVER_TEST(whoever_opens_another_shared_replay_leaves_the_earlier_one),
        DRIVER_TEST(a_shared_replay_keeps_its_step_when_the_core_is_killed),
        DRIVER_TEST(the_order_of_a_shared_replays_participants_survives_a_restart),
        DRIVER_TEST(a_shared_replay_that_everybody_left_is_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
