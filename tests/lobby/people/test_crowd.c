#include "games/game.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* However many people act at the same moment, others are told of all their actions, in messages
 * that each fit into a packet (the driver checks their sizes). */

#define WATCHER DRIVER_FIRST
#define HOST (DRIVER_FIRST + 1)
/* first number of the crowd's connections, whose messages the test does not read */
#define CROWD 100
#define PEOPLE 6000
#define TABLES 800

static void let_house_receive_without_commit(struct driver *driver, int64_t conn, const char *json)
{
    assert_int_equal(house_receive(driver->house, driver->now_ms, conn, json, strlen(json)),
                     HOUSE_OK);
}

static void sign_in_as_guest(struct driver *driver, int64_t conn)
{
    assert_int_equal(
        house_connect(driver->house, driver->now_ms, conn, PEER_SESSION, "203.0.113.7", "ssh"),
        HOUSE_OK);
    let_house_receive_without_commit(driver, conn,
                                     "{\"t\":\"hello\",\"protocol\":3,\"lobby\":true}");
    let_house_receive_without_commit(driver, conn,
                                     "{\"t\":\"sign_in\",\"id\":1,\"method\":\"guest\"}");
}

static void open_house(struct driver *driver)
{
    driver->config.limits_tables = 100000;
    driver->config.limits_tables_each = 1000;
    driver->config.limits_changes_burst = 2000;
    driver->config.limits_input_burst = 10000;
    driver_restart_core(driver);
    driver_enter_as_guest(driver, WATCHER);
}

static void fill_house_with_guests(struct driver *driver)
{
    for (int64_t conn = CROWD; conn < CROWD + PEOPLE; conn++) {
        sign_in_as_guest(driver, conn);
    }
    driver_commit(driver);
    driver_pass_time(driver, 1000);
}

/* Counts the rows or names in the array `key` of all `lobby` messages since the inbox was
 * emptied. */
static size_t count_entries_under_key(const struct driver *driver, const char *key)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(driver->inbox[WATCHER]); i++) {
        const json_t *message = json_array_get(driver->inbox[WATCHER], i);
        if (strcmp(driver_read_text(message, "t"), "lobby") == 0) {
            count += json_array_size(json_object_get(message, key));
        }
    }
    return count;
}

static void many_simultaneous_arrivals_and_departures_are_all_sent(void **state)
{
    struct driver *driver = *state;
    open_house(driver);
    driver_clear_inbox(driver, WATCHER);
    fill_house_with_guests(driver);
    assert_int_equal(count_entries_under_key(driver, "people"), PEOPLE);
    driver_clear_inbox(driver, WATCHER);
    for (int64_t conn = CROWD; conn < CROWD + PEOPLE; conn++) {
        assert_int_equal(house_disconnect(driver->house, driver->now_ms, conn), HOUSE_OK);
    }
    driver_commit(driver);
    driver_pass_time(driver, 1000);
    assert_int_equal(count_entries_under_key(driver, "gone_people"), PEOPLE);
    assert_int_equal(count_entries_under_key(driver, "people"), 0);
    assert_true(driver_count_messages(driver, WATCHER, "lobby") > 1);
}

static void a_table_is_told_the_number_of_its_spectators_and_the_names_of_a_thousand(void **state)
{
    struct driver *driver = *state;
    char enter[64];
    open_house(driver);
    driver_sign_up(driver, HOST, "ada");
    int64_t table = driver_open_table(driver, HOST, 4, 0);
    fill_house_with_guests(driver);
    (void)snprintf(enter, sizeof(enter), "{\"t\":\"table_enter\",\"id\":2,\"table\":%" PRId64 "}",
                   table);
    for (int64_t conn = CROWD; conn < CROWD + PEOPLE; conn++) {
        let_house_receive_without_commit(driver, conn, enter);
    }
    driver_commit(driver);
    const json_t *table_message = driver_newest_message(driver, HOST, "table");
    assert_int_equal(driver_read_number(table_message, "watchers"), PEOPLE);
    assert_int_equal(json_array_size(json_object_get(table_message, "watcher_names")), 1000);
}

/* Checks every list with a row for each table: the lobby's list, the person's own tables, the
 * tables that do not admit the person, and the removed tables. */
static void many_tables_opened_at_once_are_all_sent(void **state)
{
    struct driver *driver = *state;
    open_house(driver);
    driver_sign_up(driver, HOST, "ada");
    driver_clear_inbox(driver, WATCHER);
    for (int i = 0; i < TABLES; i++) {
        char open[256];
        int len = snprintf(open, sizeof(open),
                           "{\"t\":\"table_open\",\"id\":%d,\"game\":\"%s\",\"players\":4,"
                           "\"options\":{},\"clock\":{\"kind\":\"days\",\"days\":3},"
                           "\"fit\":{\"rating_min\":1500}}",
                           1000 + 2 * i, game_at(0)->id);
        assert_in_range(len, 1, sizeof(open) - 1);
        let_house_receive_without_commit(driver, HOST, open);
        (void)snprintf(open, sizeof(open), "{\"t\":\"table_leave\",\"id\":%d}", 1001 + 2 * i);
        let_house_receive_without_commit(driver, HOST, open);
        driver->now_ms += 50;
    }
    driver_commit(driver);
    driver_pass_time(driver, 1000);
    assert_int_equal(count_entries_under_key(driver, "tables"), TABLES);
    assert_int_equal(
        json_array_size(json_object_get(driver_newest_message(driver, HOST, "mine"), "tables")),
        400);
    assert_int_equal(
        json_array_size(json_object_get(driver_newest_message(driver, WATCHER, "unfit"), "tables")),
        TABLES);
}

TEST_GROUP(crowd)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(many_simultaneous_arrivals_and_departures_are_all_sent),
        DRIVER_TEST(a_table_is_told_the_number_of_its_spectators_and_the_names_of_a_thousand),
        DRIVER_TEST(many_tables_opened_at_once_are_all_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
