#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

/* Once staff have announced when the house closes, it closes at that time even if the core dies
 * meanwhile. */

#define KEEPER (DRIVER_FIRST + 6)
#define MINUTE_MS 60000

static const int64_t people[] = {BOB, EVE};

/* Replaces the core as after a crash; everybody's connection survives. */
static void replace_core_after_crash(struct driver *driver)
{
    driver_restart_core(driver);
    driver_connect(driver, KEEPER, PEER_KEEPER);
    assert_int_equal(driver_send(driver, KEEPER, "{'t':'hello','protocol':3}"), HOUSE_OK);
    driver_reconnect_conns(driver, people, 2);
}

/* Starts the house again with nobody in it. */
static void restart_empty_house(struct driver *driver)
{
    driver_restart_core(driver);
    driver_connect(driver, KEEPER, PEER_KEEPER);
    assert_int_equal(driver_send(driver, KEEPER, "{'t':'hello','protocol':3}"), HOUSE_OK);
    driver_reconnect_conns(driver, NULL, 0);
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
}

/* Opens a table of Bob's with two bots. */
static void open_table_with_bots(struct driver *driver)
{
    (void)driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
}

static bool house_has_closed(const struct driver *driver)
{
    return driver_count_messages(driver, KEEPER, "close") > 0;
}

static void an_announced_closing_happens_on_time_although_the_core_was_killed(void **state)
{
    struct driver *driver = *state;
    open_table_with_bots(driver);
    order_ok(driver, ADA, "shutdown 10 new cables");
    driver_pass_time(driver, MINUTE_MS);
    replace_core_after_crash(driver);
    order_expect_message(driver, BOB, "notice", "9 min: new cables");
    driver_pass_time(driver, 6 * MINUTE_MS);
    order_expect_message(driver, EVE, "notice", "new cables");
    assert_true(driver_count_messages(driver, EVE, "notice") > 1);
    driver_no(driver, BOB, "draining", "{'t':'table_start'}");
    assert_false(house_has_closed(driver));
    driver_pass_time(driver, 3 * MINUTE_MS);
    assert_true(house_has_closed(driver));
}

static void no_game_begins_while_the_house_is_draining_even_after_a_restart(void **state)
{
    struct driver *driver = *state;
    open_table_with_bots(driver);
    order_ok(driver, ADA, "drain on");
    replace_core_after_crash(driver);
    order_expect_message(driver, BOB, "notice", "No new games");
    driver_no(driver, BOB, "draining", "{'t':'table_start'}");
    driver_connect(driver, OWNER, PEER_OPERATOR);
    assert_int_equal(driver_send(driver, OWNER, "{'t':'hello','protocol':3}"), HOUSE_OK);
    order_ok(driver, OWNER, "drain off");
    replace_core_after_crash(driver);
    driver_ok(driver, BOB, "{'t':'table_start'}");
}

static void a_cancelled_closing_stays_cancelled(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "shutdown 10 new cables");
    order_ok(driver, ADA, "shutdown cancel");
    replace_core_after_crash(driver);
    assert_int_equal(driver_count_messages(driver, BOB, "notice"), 0);
    driver_pass_time(driver, 20 * MINUTE_MS);
    assert_false(house_has_closed(driver));
}

static void the_house_closes_even_if_no_core_ran_at_the_announced_time(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "shutdown 10 new cables");
    driver->now_ms += 11 * MINUTE_MS;
    replace_core_after_crash(driver);
    driver_pass_time(driver, 1);
    assert_true(house_has_closed(driver));
}

static void if_the_core_dies_while_closing_the_house_the_next_core_closes_it(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "shutdown 10 new cables");
    replace_core_after_crash(driver);
    driver_pass_time(driver, 10 * MINUTE_MS);
    assert_true(house_has_closed(driver));
    driver_clear_inbox(driver, KEEPER);
    replace_core_after_crash(driver);
    driver_pass_time(driver, 1);
    assert_true(house_has_closed(driver));
}

static void a_house_that_closed_as_announced_opens_normally(void **state)
{
    struct driver *driver = *state;
    open_table_with_bots(driver);
    order_ok(driver, ADA, "drain on");
    order_ok(driver, ADA, "shutdown 10 new cables");
    driver_pass_time(driver, 10 * MINUTE_MS);
    driver->now_ms += 30 * MINUTE_MS;
    restart_empty_house(driver);
    assert_int_equal(driver_count_messages(driver, BOB, "notice"), 0);
    open_table_with_bots(driver);
    driver_ok(driver, BOB, "{'t':'table_start'}");
    replace_core_after_crash(driver);
    driver_pass_time(driver, MINUTE_MS);
    assert_false(house_has_closed(driver));
}

static void people_who_enter_later_are_told_when_the_house_closes(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "shutdown 10 new cables");
    driver_disconnect(driver, BOB);
    driver_clear_inbox(driver, BOB);
    driver_pass_time(driver, MINUTE_MS);
    driver_sign_in(driver, BOB, "bob");
    order_expect_message(driver, BOB, "notice", "9 min: new cables");
}

static void an_overdue_closing_waits_until_the_keeper_process_connects(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "shutdown 1 new cables");
    driver_pass_time(driver, 5 * MINUTE_MS);
    driver_connect(driver, KEEPER, PEER_KEEPER);
    assert_int_equal(driver_send(driver, KEEPER, "{'t':'hello','protocol':3}"), HOUSE_OK);
    driver_pass_time(driver, MINUTE_MS);
    assert_int_equal(driver_count_messages(driver, KEEPER, "close"), 1);
}

TEST_GROUP(closing)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(an_announced_closing_happens_on_time_although_the_core_was_killed),
        ORDER_TEST(no_game_begins_while_the_house_is_draining_even_after_a_restart),
        ORDER_TEST(a_cancelled_closing_stays_cancelled),
        ORDER_TEST(the_house_closes_even_if_no_core_ran_at_the_announced_time),
        ORDER_TEST(if_the_core_dies_while_closing_the_house_the_next_core_closes_it),
        ORDER_TEST(a_house_that_closed_as_announced_opens_normally),
        ORDER_TEST(people_who_enter_later_are_told_when_the_house_closes),
        ORDER_TEST(an_overdue_closing_waits_until_the_keeper_process_connects),
    };
    return cmocka_run_group_tests_name("closing", tests, NULL, NULL);
}
