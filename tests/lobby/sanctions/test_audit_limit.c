#include "games/game.h"
#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "storage/mod/mod.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Nobody can fill the audit log, whose rows are kept for good, by repeating actions. The clock
 * stands still in these tests, so whoever has used up their limit cannot cause another row by any
 * action. */

#define GUEST LATER
#define SECOND (LATER + 1)
#define BURST 30
#define STAFF_BURST (20 * BURST)

/* Arguments to try with every moderation command: all kinds of targets, with and without duration
 * and reason. */
static const char *const arguments[] = {
    "",
    "bob",
    "eve",
    "guest-1",
    "bob why",
    "eve why",
    "bob 1d why",
    "on",
    "off",
    "max",
    "ok",
    "#1",
    "#1 why",
    "#1 on",
    "@1 why",
    "open",
    "mine",
    "1",
    "1 why",
    "lobby 3",
    "a word or two",
    "bob eve why",
    "bob abuse why",
    "ip=192.0.2.9 1d why",
};

/* All types of message that sessions send. */
static const char *const messages[] = {
#define MESSAGE(type, peers, phases, flags, commands, ...) #type,
#include "lobby/protocol/messages.def"
};

#define FIELDS                                                                                     \
    "'protocol':3,'table':1,'seat':1,'game_id':1,'to':'lobby','kind':'say','text':'a word',"       \
    "'channel':'#tea','name':'bob','state':'open','days':1,'settings':{'bell':true},'key':'1',"    \
    "'count':1,'offset':0,'line':'sanctions','step':0,'url':'https://192.0.2.1/'"

static int setup_house(void **state)
{
    if (driver_setup(state) != 0) {
        return -1;
    }
    struct driver *driver = *state;
    driver->config.limits_input_burst = 1000000;
    driver->config.limits_changes_burst = 1000000;
    driver->config.chat_burst = 1000000;
    driver->config.limits_tables = 100000;
    driver->config.limits_tables_each = 10000;
    driver->config.limits_tables_each_source = 10000;
    driver->config.limits_audit_burst = BURST;
    driver_restart_core(driver);
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    driver_sign_up(driver, MAX, "max");
    driver_disconnect(driver, MAX);
    order_set_role(driver, "max", STORAGE_ROLE_MOD);
    driver_sign_in(driver, MAX, "max");
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    return 0;
}

static int64_t count_audit_rows(struct driver *driver)
{
    int64_t next = 0;
    assert_int_equal(storage_audit_read_next_id(driver->storage, &next), STORAGE_OK);
    return next - 1;
}

static void connect_guest_from(struct driver *driver, int64_t conn, const char *address)
{
    driver_connect_session_from(driver, conn, address, "ssh");
    driver_ok(driver, conn, "{'t':'sign_in','method':'guest'}");
}

/* Makes the person on this connection host of a table where bob sits. */
static void host_table_with_bob(struct driver *driver, int64_t conn)
{
    (void)driver_request(driver, conn, "{'t':'table_leave'}");
    (void)driver_request(driver, BOB, "{'t':'table_leave'}");
    int64_t table = driver_open_table(driver, conn, 4, 0);
    (void)driver_request(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    (void)driver_request(driver, BOB, "{'t':'seat_take','seat':1}");
}

/* Expects at most max_rows rows of the audit log. `action` and `words` describe the action just
 * tried. */
static void expect_rows_within_limit(struct driver *driver, int64_t max_rows, const char *action,
                                     const char *words)
{
    int64_t now = count_audit_rows(driver);
    if (now > max_rows) {
        fail_msg("%s %s wrote an audit row beyond the limit (%" PRId64 ")", action, words, now);
    }
}

/* Tries every action that one person can take, once each. */
static void try_every_action(struct driver *driver, int64_t conn, int64_t max_rows)
{
    const struct mod_command_info *words = NULL;
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        host_table_with_bob(driver, conn);
        for (size_t k = 0; k < ARRAY_LEN(arguments); k++) {
            (void)driver_request(driver, conn, "{'t':'mod','line':'%s %s'}", words->name,
                                 arguments[k]);
            expect_rows_within_limit(driver, max_rows, words->name, arguments[k]);
        }
    }
    for (size_t i = 0; i < 2 * ARRAY_LEN(messages); i++) {
        const char *password = i % 2 == 0 ? "" : ",'password':'a table of mine'";
        host_table_with_bob(driver, conn);
        (void)driver_request(driver, conn, "{'t':'%s'," FIELDS "%s}", messages[i / 2], password);
        expect_rows_within_limit(driver, max_rows, messages[i / 2], password);
    }
}

static bool collect_command_name(void *context, const struct storage_audit *row)
{
    static const char *const wanted[] = {"lock", "kick", "ignore", "invite", "ban", "whois"};
    unsigned *seen = context;
    for (unsigned i = 0; i < ARRAY_LEN(wanted); i++) {
        *seen |= strcmp(row->verb, wanted[i]) == 0 ? 1U << i : 0;
    }
    return *seen != (1U << ARRAY_LEN(wanted)) - 1;
}

/* Makes sure that the actions tried here include all that write audit rows. */
static void the_actions_tried_here_write_every_kind_of_audit_row(void **state)
{
    struct driver *driver = *state;
    const struct storage_audit_query all = {"", "", "", 0, STORAGE_AUDIT_LOOK};
    unsigned seen = 0;
    driver->config.limits_audit_burst = 1000000;
    driver_restart_core(driver);
    driver_sign_in(driver, BOB, "bob");
    driver_sign_in(driver, EVE, "eve");
    driver_sign_in(driver, MAX, "max");
    try_every_action(driver, EVE, INT64_MAX);
    assert_int_equal(storage_audit_each(driver->storage, &all, collect_command_name, &seen),
                     STORAGE_OK);
    assert_int_equal(seen, 63);
    assert_true(count_audit_rows(driver) > 500);
}

static void exhaust_audit_row_limit(struct driver *driver, int64_t conn, const char *line,
                                    int count)
{
    int64_t before = count_audit_rows(driver);
    for (int i = 0; i < count + 5; i++) {
        (void)driver_request(driver, conn, "{'t':'mod','line':'%s'}", line);
    }
    assert_int_equal(count_audit_rows(driver) - before, count);
}

static void a_players_audit_rows_are_limited_in_rate_for_every_action(void **state)
{
    struct driver *driver = *state;
    exhaust_audit_row_limit(driver, EVE, "ban bob 1d why", BURST);
    try_every_action(driver, EVE, count_audit_rows(driver));
    driver_pass_time(driver, 61000);
    driver_ok(driver, EVE, "{'t':'mod','line':'ignore max'}");
    driver_no(driver, EVE, "wait", "{'t':'mod','line':'noplay max'}");
}

static void staff_audit_rows_are_limited_in_rate_for_every_action(void **state)
{
    struct driver *driver = *state;
    exhaust_audit_row_limit(driver, MAX, "whois bob", STAFF_BURST);
    try_every_action(driver, MAX, count_audit_rows(driver));
}

static void reconnecting_gives_a_guest_no_more_audit_rows(void **state)
{
    struct driver *driver = *state;
    connect_guest_from(driver, GUEST, "192.0.2.9");
    exhaust_audit_row_limit(driver, GUEST, "ban bob 1d why", BURST);
    try_every_action(driver, GUEST, count_audit_rows(driver));
    driver_disconnect(driver, GUEST);
    connect_guest_from(driver, GUEST, "192.0.2.9");
    exhaust_audit_row_limit(driver, GUEST, "ban bob 1d why", 0);
    connect_guest_from(driver, SECOND, "192.0.2.10");
    exhaust_audit_row_limit(driver, SECOND, "ban bob 1d why", BURST);
}

static void locking_a_locked_table_writes_no_audit_row(void **state)
{
    struct driver *driver = *state;
    host_table_with_bob(driver, EVE);
    int64_t before = count_audit_rows(driver);
    driver_ok(driver, EVE, "{'t':'table_lock','password':null}");
    assert_int_equal(count_audit_rows(driver), before);
    for (int i = 0; i < 3; i++) {
        driver_ok(driver, EVE, "{'t':'table_lock','password':'sesame'}");
        assert_int_equal(count_audit_rows(driver), before + 1);
    }
    driver_ok(driver, EVE, "{'t':'table_lock','password':'another'}");
    assert_int_equal(count_audit_rows(driver), before + 2);
    for (int i = 0; i < 3; i++) {
        driver_ok(driver, EVE, "{'t':'table_lock','password':null}");
        assert_int_equal(count_audit_rows(driver), before + 3);
    }
}

static void a_request_that_changes_nothing_writes_no_audit_row(void **state)
{
    static const char *const wishes[] = {"ignore bob", "noplay bob", "unignore bob",
                                         "unnoplay bob"};
    struct driver *driver = *state;
    for (size_t i = 0; i < ARRAY_LEN(wishes); i++) {
        int64_t before = count_audit_rows(driver);
        for (int k = 0; k < 3; k++) {
            (void)driver_request(driver, EVE, "{'t':'mod','line':'%s'}", wishes[i]);
            assert_int_equal(count_audit_rows(driver), before + 1);
        }
    }
}

#define PACE_TEST(test) cmocka_unit_test_setup_teardown(test, setup_house, driver_teardown)

TEST_GROUP(audit_limit)
{
    const struct CMUnitTest tests[] = {
        PACE_TEST(the_actions_tried_here_write_every_kind_of_audit_row),
        PACE_TEST(a_players_audit_rows_are_limited_in_rate_for_every_action),
        PACE_TEST(staff_audit_rows_are_limited_in_rate_for_every_action),
        PACE_TEST(reconnecting_gives_a_guest_no_more_audit_rows),
        PACE_TEST(locking_a_locked_table_writes_no_audit_row),
        PACE_TEST(a_request_that_changes_nothing_writes_no_audit_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
