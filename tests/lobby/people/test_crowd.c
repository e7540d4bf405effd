#include "games/game.h"
#include "tests/lobby/house_driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Many at once: whatever a crowd does between two turns of the house, what is told of it comes in
 * messages that fit a packet (the driver looks at each), and nothing of it is lost. */

#define WATCHER DRIVER_FIRST
#define HOST (DRIVER_FIRST + 1)
#define CROWD 100 /* where their connections begin: nobody looks at what they are told */
#define PEOPLE 6000
#define TABLES 800

static void say(struct driver *driver, int64_t conn, const char *text)
{
    assert_int_equal(house_receive(driver->house, driver->now_ms, conn, text, strlen(text)),
                     HOUSE_OK);
}

static void come(struct driver *driver, int64_t conn)
{
    assert_int_equal(
        house_connect(driver->house, driver->now_ms, conn, PEER_SESSION, "203.0.113.7", "ssh"),
        HOUSE_OK);
    say(driver, conn, "{\"t\":\"hello\",\"protocol\":1}");
    say(driver, conn, "{\"t\":\"sign_in\",\"id\":1,\"method\":\"guest\"}");
}

static void open_house(struct driver *driver)
{
    driver->config.limits_tables = 100000;
    driver->config.limits_tables_each = 1000;
    driver->config.limits_changes_burst = 2000;
    driver->config.limits_input_burst = 10000;
    driver_restart(driver);
    driver_guest(driver, WATCHER);
}

static void fill(struct driver *driver)
{
    for (int64_t conn = CROWD; conn < CROWD + PEOPLE; conn++) {
        come(driver, conn);
    }
    driver_commit(driver);
    driver_pass(driver, 1000);
}

/* How many the `lobby` messages tell of under the key, since the watcher forgot what was told. */
static size_t told(const struct driver *driver, const char *key)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(driver->inbox[WATCHER]); i++) {
        const json_t *message = json_array_get(driver->inbox[WATCHER], i);
        if (strcmp(driver_text(message, "t"), "lobby") == 0) {
            count += json_array_size(json_object_get(message, key));
        }
    }
    return count;
}

static void many_simultaneous_arrivals_and_departures_are_all_sent(void **state)
{
    struct driver *driver = *state;
    open_house(driver);
    driver_forget(driver, WATCHER);
    fill(driver);
    assert_int_equal(told(driver, "people"), PEOPLE);
    driver_forget(driver, WATCHER);
    for (int64_t conn = CROWD; conn < CROWD + PEOPLE; conn++) {
        assert_int_equal(house_disconnect(driver->house, driver->now_ms, conn), HOUSE_OK);
    }
    driver_commit(driver);
    driver_pass(driver, 1000);
    assert_int_equal(told(driver, "gone_people"), PEOPLE);
    assert_int_equal(told(driver, "people"), 0);
    assert_true(driver_count(driver, WATCHER, "lobby") > 1);
}

static void many_spectators_are_all_sent_to_their_table(void **state)
{
    struct driver *driver = *state;
    char enter[64];
    open_house(driver);
    driver_sign_up(driver, HOST, "ada");
    int64_t table = driver_open_table(driver, HOST, 4, 0);
    fill(driver);
    (void)snprintf(enter, sizeof(enter), "{\"t\":\"table_enter\",\"id\":2,\"table\":%" PRId64 "}",
                   table);
    for (int64_t conn = CROWD; conn < CROWD + PEOPLE; conn++) {
        say(driver, conn, enter);
    }
    driver_commit(driver);
    const json_t *told = driver_newest(driver, HOST, "table");
    assert_int_equal(driver_number(told, "watchers"), PEOPLE);
    assert_int_equal(json_array_size(json_object_get(told, "watcher_names")), 1000);
}

/* Every list that has a row for each table: those of the lobby, one's own, those one may not sit
 * at, and those that are gone. */
static void many_simultaneous_tables_are_all_sent(void **state)
{
    struct driver *driver = *state;
    open_house(driver);
    driver_sign_up(driver, HOST, "ada");
    driver_forget(driver, WATCHER);
    for (int i = 0; i < TABLES; i++) {
        char open[256];
        int len = snprintf(open, sizeof(open),
                           "{\"t\":\"table_open\",\"id\":%d,\"game\":\"%s\",\"players\":4,"
                           "\"options\":{},\"clock\":{\"kind\":\"days\",\"days\":3},"
                           "\"fit\":{\"rating_min\":1500}}",
                           1000 + 2 * i, game_at(0)->id);
        assert_in_range(len, 1, sizeof(open) - 1);
        say(driver, HOST, open);
        (void)snprintf(open, sizeof(open), "{\"t\":\"table_leave\",\"id\":%d}", 1001 + 2 * i);
        say(driver, HOST, open);
        driver->now_ms += 50;
    }
    driver_commit(driver);
    driver_pass(driver, 1000);
    assert_int_equal(told(driver, "tables"), TABLES);
    assert_int_equal(
        json_array_size(json_object_get(driver_newest(driver, HOST, "mine"), "tables")), 400);
    assert_int_equal(
        json_array_size(json_object_get(driver_newest(driver, WATCHER, "unfit"), "tables")),
        TABLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(many_simultaneous_arrivals_and_departures_are_all_sent),
        DRIVER_TEST(many_spectators_are_all_sent_to_their_table),
        DRIVER_TEST(many_simultaneous_tables_are_all_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
