#include "games/game.h"
#include "lobby/house/messages.h"
#include "lobby/protocol/mod_commands.h"
#include "storage/mod/audit.h"
#include "tests/lobby/order_driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The audit log keeps its rows for good: nobody fills it by repeating what they may do. Time stands
 * still here, so who has caused as many rows as they may at once causes none by anything at all. */

#define GUEST LATER
#define SECOND (LATER + 1)
#define BURST 30
#define STAFF_BURST (20 * BURST)

/* What a moderation command may be given: every kind of target, with and without what else
 * commands ask for. */
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

/* The messages of sessions, and what they may hold beside their type: whatever one reads, it is
 * there. */
static const char *const messages[] = {
#define MESSAGE(type, peers, phases, flags, commands, ...) #type,
#include "lobby/protocol/messages.def"
};

#define FIELDS                                                                                     \
    "'protocol':1,'table':1,'seat':1,'game_id':1,'to':'lobby','kind':'say','text':'a word',"       \
    "'channel':'#tea','name':'bob','state':'open','days':1,'settings':{'bell':true},'key':'1',"    \
    "'count':1,'offset':0,'line':'sanctions','step':0,'url':'https://192.0.2.1/'"

static int set_up(void **state)
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
    driver->config.limits_audit_burst = BURST;
    driver_restart(driver);
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    driver_sign_up(driver, MAX, "max");
    driver_disconnect(driver, MAX);
    order_set_role(driver, "max", STORAGE_ROLE_MOD);
    driver_sign_in(driver, MAX, "max");
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    return 0;
}

static int64_t rows(struct driver *driver)
{
    int64_t next = 0;
    assert_int_equal(storage_audit_next(driver->storage, &next), STORAGE_OK);
    return next - 1;
}

static void guest_from(struct driver *driver, int64_t conn, const char *address)
{
    driver_arrive_from(driver, conn, address, "ssh");
    driver_ok(driver, conn, "{'t':'sign_in','method':'guest'}");
}

/* They are hosts of a table where bob sits. */
static void host(struct driver *driver, int64_t conn)
{
    (void)driver_ask(driver, conn, "{'t':'table_leave'}");
    (void)driver_ask(driver, BOB, "{'t':'table_leave'}");
    int64_t table = driver_open_table(driver, conn, 4, 0);
    (void)driver_ask(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    (void)driver_ask(driver, BOB, "{'t':'seat_take','seat':1}");
}

/* What nobody has tried yet writes no more rows than there is room for. */
static void check_rows(struct driver *driver, int64_t most, const char *what, const char *with)
{
    int64_t now = rows(driver);
    if (now > most) {
        fail_msg("%s %s wrote a row beyond the pace (%" PRId64 ")", what, with, now);
    }
}

/* Everything that one person can do, once each. */
static void do_everything(struct driver *driver, int64_t conn, int64_t most)
{
    const struct mod_command_words *words = NULL;
    for (size_t i = 0; (words = mod_command_words_at(i)) != NULL; i++) {
        host(driver, conn);
        for (size_t k = 0; k < ARRAY_LEN(arguments); k++) {
            (void)driver_ask(driver, conn, "{'t':'mod','line':'%s %s'}", words->name, arguments[k]);
            check_rows(driver, most, words->name, arguments[k]);
        }
    }
    for (size_t i = 0; i < 2 * ARRAY_LEN(messages); i++) {
        const char *password = i % 2 == 0 ? "" : ",'password':'a table of mine'";
        host(driver, conn);
        (void)driver_ask(driver, conn, "{'t':'%s'," FIELDS "%s}", messages[i / 2], password);
        check_rows(driver, most, messages[i / 2], password);
    }
}

static bool note_command(void *context, const struct storage_audit *row)
{
    static const char *const wanted[] = {"lock", "kick", "ignore", "invite", "ban", "whois"};
    unsigned *seen = context;
    for (unsigned i = 0; i < ARRAY_LEN(wanted); i++) {
        *seen |= strcmp(row->verb, wanted[i]) == 0 ? 1U << i : 0;
    }
    return *seen != (1U << ARRAY_LEN(wanted)) - 1;
}

/* The control: what writes rows is among it. */
static void every_action_tried_here_writes_an_audit_row(void **state)
{
    struct driver *driver = *state;
    const struct storage_audit_query all = {"", "", "", 0, STORAGE_AUDIT_LOOK};
    unsigned seen = 0;
    driver->config.limits_audit_burst = 1000000;
    driver_restart(driver);
    driver_sign_in(driver, BOB, "bob");
    driver_sign_in(driver, EVE, "eve");
    driver_sign_in(driver, MAX, "max");
    do_everything(driver, EVE, INT64_MAX);
    assert_int_equal(storage_audit_each(driver->storage, &all, note_command, &seen), STORAGE_OK);
    assert_int_equal(seen, 63);
    assert_true(rows(driver) > 500);
}

static void exhaust(struct driver *driver, int64_t conn, const char *line, int count)
{
    int64_t before = rows(driver);
    for (int i = 0; i < count + 5; i++) {
        (void)driver_ask(driver, conn, "{'t':'mod','line':'%s'}", line);
    }
    assert_int_equal(rows(driver) - before, count);
}

static void a_players_audit_rows_are_limited_in_rate_for_every_action(void **state)
{
    struct driver *driver = *state;
    exhaust(driver, EVE, "ban bob 1d why", BURST);
    do_everything(driver, EVE, rows(driver));
    driver_pass(driver, 61000);
    driver_ok(driver, EVE, "{'t':'mod','line':'ignore max'}");
    driver_no(driver, EVE, "wait", "{'t':'mod','line':'noplay max'}");
}

static void staff_audit_rows_are_limited_in_rate_for_every_action(void **state)
{
    struct driver *driver = *state;
    exhaust(driver, MAX, "whois bob", STAFF_BURST);
    do_everything(driver, MAX, rows(driver));
}

static void reconnecting_gives_a_guest_no_more_audit_rows(void **state)
{
    struct driver *driver = *state;
    guest_from(driver, GUEST, "192.0.2.9");
    exhaust(driver, GUEST, "ban bob 1d why", BURST);
    do_everything(driver, GUEST, rows(driver));
    driver_disconnect(driver, GUEST);
    guest_from(driver, GUEST, "192.0.2.9");
    exhaust(driver, GUEST, "ban bob 1d why", 0);
    guest_from(driver, SECOND, "192.0.2.10");
    exhaust(driver, SECOND, "ban bob 1d why", BURST);
}

static void locking_a_locked_table_writes_no_audit_row(void **state)
{
    struct driver *driver = *state;
    host(driver, EVE);
    int64_t before = rows(driver);
    driver_ok(driver, EVE, "{'t':'table_lock','password':null}");
    assert_int_equal(rows(driver), before);
    for (int i = 0; i < 3; i++) {
        driver_ok(driver, EVE, "{'t':'table_lock','password':'sesame'}");
        assert_int_equal(rows(driver), before + 1);
    }
    driver_ok(driver, EVE, "{'t':'table_lock','password':'another'}");
    assert_int_equal(rows(driver), before + 2);
    for (int i = 0; i < 3; i++) {
        driver_ok(driver, EVE, "{'t':'table_lock','password':null}");
        assert_int_equal(rows(driver), before + 3);
    }
}

static void a_request_that_changes_nothing_writes_no_audit_row(void **state)
{
    static const char *const wishes[] = {"ignore bob", "noplay bob", "unignore bob",
                                         "unnoplay bob"};
    struct driver *driver = *state;
    for (size_t i = 0; i < ARRAY_LEN(wishes); i++) {
        int64_t before = rows(driver);
        for (int k = 0; k < 3; k++) {
            (void)driver_ask(driver, EVE, "{'t':'mod','line':'%s'}", wishes[i]);
            assert_int_equal(rows(driver), before + 1);
        }
    }
}

#define PACE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, driver_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PACE_TEST(every_action_tried_here_writes_an_audit_row),
        PACE_TEST(a_players_audit_rows_are_limited_in_rate_for_every_action),
        PACE_TEST(staff_audit_rows_are_limited_in_rate_for_every_action),
        PACE_TEST(reconnecting_gives_a_guest_no_more_audit_rows),
        PACE_TEST(locking_a_locked_table_writes_no_audit_row),
        PACE_TEST(a_request_that_changes_nothing_writes_no_audit_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
