#include "games/game.h"
#include "lobby/house/house_state.h"
#include "lobby/protocol/protocol.h"
#include "storage/sql/sql.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Limits on what a connection may send: the number of messages, their length, and the number and
 * depth of the values in a message. */

#define ADA DRIVER_FIRST

/* Sends pings of about `len` bytes; returns how many are answered before one is refused as too
 * fast. */
static int count_answered_pings(struct driver *driver, int64_t conn, size_t len)
{
    char text[REQUEST_BYTES_MAX] = "";
    memset(text, 'x', len);
    text[len] = '\0';
    int count = 0;
    const json_t *answer = NULL;
    do {
        answer = driver_request(driver, conn, "{'t':'ping','x':'%s'}", text);
        count++;
    } while (strcmp(driver_read_text(answer, "t"), "ok") == 0);
    assert_string_equal(driver_read_text(answer, "code"), "too_fast");
    return count - 1;
}

static void a_long_message_counts_as_several_towards_the_limit(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, ADA);
    driver_enter_as_guest(driver, ADA + 1);
    int short_ones = count_answered_pings(driver, ADA, 10);
    int long_ones = count_answered_pings(driver, ADA + 1, 7 * LIMIT_MESSAGE_BYTES);
    assert_in_range(short_ones, driver->config.limits_input_burst / 2,
                    driver->config.limits_input_burst);
    assert_in_range(long_ones, short_ones / 9, short_ones / 7);
}

static void a_long_answer_counts_as_several_messages_towards_the_limit(void **state)
{
    struct driver *driver = *state;
    int count = 0;
    driver->config.limits_tables_each = 100;
    driver_restart_core(driver);
    driver_sign_up(driver, ADA, "ada");
    for (int i = 0; i < 40; i++) { /* tables at which a seat is kept for days */
        driver_ok(driver, ADA,
                  "{'t':'table_open','game':'%s','players':3,'clock':{'kind':'days','days':2}}",
                  game_at(0)->id);
        driver_pass_time(driver, 60000);
    }
    while (strcmp(driver_read_text(driver_request(driver, ADA, "{'t':'tables','count':100}"), "t"),
                  "ok") == 0) {
        count++;
    }
    assert_in_range(count, 5, driver->config.limits_input_burst / 3);
    driver_pass_time(driver, 4000);
    driver_ok(driver, ADA, "{'t':'tables','count':100}");
}

static void long_refused_messages_end_the_connection_sooner_than_short_ones(void **state)
{
    struct driver *driver = *state;
    char text[4000];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    driver_enter_as_guest(driver, ADA);
    int count = 0;
    while (driver_newest_message(driver, ADA, "bye") == NULL) {
        (void)driver_request(driver, ADA, "{'t':'ping','x':'%s'}", text);
        assert_true(++count < (int)driver->config.limits_input_excess / 4);
    }
}

static void expect_connection_ends(struct driver *driver, const char *message,
                                   enum house_result expected_result)
{
    driver_enter_as_guest(driver, ADA);
    assert_int_equal(house_receive(driver->house, driver->now_ms, ADA, message, strlen(message)),
                     expected_result);
    driver_disconnect(driver, ADA);
}

static void a_message_larger_or_deeper_than_any_request_ends_the_connection(void **state)
{
    struct driver *driver = *state;
    static char text[2 * REQUEST_BYTES_MAX];
    size_t len = (size_t)snprintf(text, sizeof(text), "{\"t\":\"ping\",\"id\":7,\"x\":\"");
    memset(text + len, 'x', REQUEST_BYTES_MAX - len - 2);
    (void)snprintf(text + REQUEST_BYTES_MAX - 2, 3, "\"}");
    expect_connection_ends(driver, text, HOUSE_OK);
    memset(text + len, 'x', REQUEST_BYTES_MAX - len);
    (void)snprintf(text + REQUEST_BYTES_MAX - 1, 3, "\"}");
    expect_connection_ends(driver, text, HOUSE_END_CONNECTION);

    len = (size_t)snprintf(text, sizeof(text), "{\"t\":\"ping\",\"id\":7");
    for (int i = 0; i < REQUEST_VALUES_MAX; i++) {
        len += (size_t)snprintf(text + len, sizeof(text) - len, ",\"%d\":0", i);
    }
    (void)snprintf(text + len, sizeof(text) - len, "}");
    expect_connection_ends(driver, text, HOUSE_END_CONNECTION);
    expect_connection_ends(driver, "{\"t\":\"ping\",\"id\":7,\"x\":[[[[[[[]]]]]]]}", HOUSE_OK);
    expect_connection_ends(driver, "{\"t\":\"ping\",\"id\":7,\"x\":[[[[[[[[]]]]]]]]}",
                           HOUSE_END_CONNECTION);
}

static void a_fault_does_not_raise_anybodys_request_limit(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, ADA + 1, "bob");
    (void)count_answered_pings(driver, ADA, 10);
    assert_int_equal(sqlite3_exec(driver->storage->db,
                                  "CREATE TRIGGER none BEFORE INSERT ON friends "
                                  "BEGIN SELECT raise(ABORT, 'x'); END",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_null(driver_request(driver, ADA + 1, "{'t':'friend_add','name':'ada'}"));
    assert_non_null(driver_newest_message(driver, ADA, "resync"));
    driver_clear_inbox(driver, ADA);
    assert_int_equal(driver_send(driver, ADA, "{'t':'hello','protocol':3}"), HOUSE_OK);
    /* the core has asked every connection for a new hello */
    assert_non_null(driver_newest_message(driver, ADA, "welcome"));
    driver_no(driver, ADA, "too_fast", "{'t':'ping'}");
}

TEST_GROUP(pace)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(a_long_message_counts_as_several_towards_the_limit),
        DRIVER_TEST(a_long_answer_counts_as_several_messages_towards_the_limit),
        DRIVER_TEST(long_refused_messages_end_the_connection_sooner_than_short_ones),
        DRIVER_TEST(a_message_larger_or_deeper_than_any_request_ends_the_connection),
        DRIVER_TEST(a_fault_does_not_raise_anybodys_request_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
