#include "lobby/tables/tables.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <string.h>

/* A moderator watches a table unseen, and the people at the table are always told afterwards. */

#define GATE 5

/* Begins a game of bob, eve and a bot, which the moderator max watches unseen. */
static int64_t begin_observed_game(struct driver *driver, const char *watch_rule)
{
    char line[64];
    const json_t *answer = driver_ok(
        driver, BOB, "{'t':'table_open','game':'oh-hell','players':3,'options':{},'watch':%s}",
        watch_rule);
    int64_t table = driver_read_number(answer, "table");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, BOB, "{'t':'table_start'}");
    snprintf(line, sizeof line, "yes observe #%d collusion", (int)table);
    order_ok(driver, MAX, line);
    driver_pass_time(driver, 200);
    driver_clear_inbox(driver, BOB);
    return table;
}

static void reconnect_session(struct driver *driver, int64_t conn)
{
    driver_connect_session(driver, conn);
}

static void assert_told_who_watched(struct driver *driver, int64_t conn)
{
    order_expect_message(driver, conn, "notice", "max, who is staff here, has watched table #");
    order_expect_message(driver, conn, "notice", "collusion");
}

static void a_restarted_core_knows_who_watches_unseen(void **state)
{
    struct driver *driver = *state;
    begin_observed_game(driver, "{'policy':'none'}");
    driver_restart_core(driver);
    reconnect_session(driver, BOB);
    reconnect_session(driver, EVE);
    reconnect_session(driver, MAX);
    driver_pass_time(driver, 200);
    assert_int_equal(driver_count_messages(driver, BOB, "notice"), 0);
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "table"), "watchers"),
                     0);
    assert_int_equal(driver_count_messages(driver, MAX, "sent_out"), 0);
    driver_ok(driver, MAX, "{'t':'table_leave'}");
    assert_told_who_watched(driver, BOB);
    assert_told_who_watched(driver, EVE);
}

static void an_unseen_observer_disconnected_by_a_restart_is_disclosed_too(void **state)
{
    struct driver *driver = *state;
    begin_observed_game(driver, "{'policy':'public'}");
    driver_restart_core(driver);
    reconnect_session(driver, BOB);
    driver_connect(driver, GATE, PEER_GATE);
    driver_send(driver, GATE, "{'t':'hello','protocol':3}");
    assert_int_equal(driver_count_messages(driver, BOB, "notice"), 0);
    driver_send(driver, GATE, "{'t':'connections_end'}");
    assert_told_who_watched(driver, BOB);
    driver_clear_inbox(driver, BOB);
    driver_restart_core(driver);
    reconnect_session(driver, BOB);
    driver_connect(driver, GATE, PEER_GATE);
    driver_send(driver, GATE, "{'t':'hello','protocol':3}");
    driver_send(driver, GATE, "{'t':'connections_end'}");
    assert_int_equal(driver_count_messages(driver, BOB, "notice"), 0);
}

static int64_t read_step_of_newest_view(struct driver *driver, int64_t conn)
{
    return driver_read_number(json_object_get(driver_newest_message(driver, conn, "view"), "view"),
                              "step");
}

static void an_unseen_observer_sees_the_table_without_delay(void **state)
{
    struct driver *driver = *state;
    const int64_t players[] = {BOB, EVE};
    int64_t table = begin_observed_game(driver, "{'policy':'delay','moves':5}");
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}");
    driver->has_bots = true;
    driver_sign_up(driver, LATER, "zoe");
    driver_ok(driver, LATER, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_play_moves(driver, players, ARRAY_LEN(players), 5);
    driver_pass_time(driver, 2 * WATCH_BEAT_MS);
    driver_ok(driver, BOB, "{'t':'say','to':'table','kind':'say','text':'psst'}");
    assert_true(read_step_of_newest_view(driver, BOB) > 5);
    assert_int_equal(read_step_of_newest_view(driver, MAX), read_step_of_newest_view(driver, BOB));
    assert_int_equal(read_step_of_newest_view(driver, LATER),
                     read_step_of_newest_view(driver, BOB) - 5);
    assert_string_equal(driver_read_text(driver_newest_message(driver, MAX, "chat"), "text"),
                        "psst");
    const json_t *hands = json_object_get(
        json_object_get(driver_newest_message(driver, MAX, "view"), "view"), "hands");
    assert_null(json_object_get(json_array_get(json_array_get(hands, 0), 0), "card"));
}

static void closing_a_table_discloses_its_observer_and_ends_the_observing(void **state)
{
    struct driver *driver = *state;
    char line[64];
    int64_t table = begin_observed_game(driver, "{'policy':'public'}");
    snprintf(line, sizeof line, "yes adjudicate #%d void stuck", (int)table);
    order_ok(driver, ADA, line);
    assert_told_who_watched(driver, BOB);
    table = driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, MAX, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_pass_time(driver, 200);
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "table"), "watchers"),
                     1);
}

static void losing_the_staff_role_ends_unseen_watching(void **state)
{
    struct driver *driver = *state;
    begin_observed_game(driver, "{'policy':'none'}");
    order_ok(driver, ADA, "role max player he asked for it");
    assert_told_who_watched(driver, BOB);
    assert_int_equal(driver_count_messages(driver, MAX, "sent_out"), 1);
}

static void people_who_left_the_table_are_also_told_of_the_observer(void **state)
{
    struct driver *driver = *state;
    begin_observed_game(driver, "{'policy':'public'}");
    driver_ok(driver, EVE, "{'t':'seat_leave','for_good':true}");
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    driver_disconnect(driver, MAX);
    assert_told_who_watched(driver, EVE);
}

TEST_GROUP(observing)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(a_restarted_core_knows_who_watches_unseen),
        ORDER_TEST(an_unseen_observer_disconnected_by_a_restart_is_disclosed_too),
        ORDER_TEST(an_unseen_observer_sees_the_table_without_delay),
        ORDER_TEST(closing_a_table_discloses_its_observer_and_ends_the_observing),
        ORDER_TEST(losing_the_staff_role_ends_unseen_watching),
        ORDER_TEST(people_who_left_the_table_are_also_told_of_the_observer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
