#include "storage/upkeep/upkeep.h"

#include "storage/mod/mod.h"
#include "storage/sql/sql.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests when the house deletes old chat lines, messages and addresses, and that it says so in the
 * log. */

#define DAY_MS INT64_C(86400000)
#define SAY(text) "{'t':'say','to':'lobby','kind':'say','text':'" text "'}"
#define TELL(text) "{'t':'tell','to':'eve','text':'" text "'}"

struct runs {
    size_t count;
    char newest[256]; /* the counts of the newest run, as in the log */
};

static void count_run(void *context, int64_t conn, const char *event, const char *const *pairs)
{
    struct runs *runs = context;
    size_t len = 0;
    if (strcmp(event, "retention") != 0) {
        return;
    }
    assert_int_equal(conn, 0);
    runs->count++;
    for (; pairs[0] != NULL; pairs += 2) {
        len += (size_t)snprintf(runs->newest + len, sizeof runs->newest - len, "%s=%s ", pairs[0],
                                pairs[1]);
    }
}

static void restart_with_settings(struct driver *driver, struct runs *runs, uint32_t days)
{
    driver->config.log = count_run;
    driver->config.log_context = runs;
    driver->config.retention_chat_days = days;
    driver->config.retention_messages_days = days;
    driver->config.retention_addresses_days = days;
    driver->config.retention_cases_days = days;
    driver_restart_core(driver);
}

/* Lets days pass one by one, as they do for a house that is never closed. */
static void pass_days(struct driver *driver, int days)
{
    for (int i = 0; i < days; i++) {
        driver_pass_time(driver, DAY_MS);
    }
}

static int64_t count_rows(const struct driver *driver, const char *rows)
{
    char query[160];
    int64_t count = -1;
    (void)snprintf(query, sizeof query, "SELECT count(*) FROM %s", rows);
    assert_int_equal(sql_read_number(driver->storage, query, &count), STORAGE_OK);
    return count;
}

static void a_run_a_day_deletes_what_is_older_than_the_settings_say(void **state)
{
    struct driver *driver = *state;
    struct runs runs = {.count = 0};
    driver_ok(driver, BOB, SAY("an old line"));
    driver_ok(driver, BOB, TELL("an old message"));
    order_ok(driver, BOB, "report eve spam again and again");
    order_ok(driver, MAX, "dismiss 1 it is not");
    restart_with_settings(driver, &runs, 3);
    pass_days(driver, 2);
    assert_true(runs.count >= 1);
    assert_int_equal(count_rows(driver, "chat WHERE text = 'an old line'"), 1);
    assert_int_equal(count_rows(driver, "chat WHERE text = 'an old message'"), 1);
    assert_true(count_rows(driver, "sign_ins") > 0);
    assert_int_equal(count_rows(driver, "reports"), 1);
    pass_days(driver, 3);
    assert_int_equal(count_rows(driver, "chat WHERE text <> ''"), 0);
    assert_int_equal(count_rows(driver, "sign_ins"), 0);
    assert_int_equal(count_rows(driver, "reports"), 0);
    size_t before = runs.count;
    pass_days(driver, 5);
    assert_in_range(runs.count - before, 4, 6);
}

static void with_settings_of_0_nothing_is_deleted(void **state)
{
    struct driver *driver = *state;
    struct runs runs = {.count = 0};
    driver_ok(driver, BOB, SAY("an old line"));
    int64_t sign_ins = count_rows(driver, "sign_ins");
    restart_with_settings(driver, &runs, 0);
    pass_days(driver, 400);
    assert_true(runs.count > 300);
    assert_string_equal(runs.newest, "chat=0 messages=0 addresses=0 cases=0 ");
    assert_int_equal(count_rows(driver, "chat WHERE text = 'an old line'"), 1);
    assert_int_equal(count_rows(driver, "sign_ins"), sign_ins);
}

static void a_restart_neither_repeats_nor_postpones_a_run(void **state)
{
    struct driver *driver = *state;
    struct runs runs = {.count = 0};
    restart_with_settings(driver, &runs, 3);
    driver_pass_time(driver, DAY_MS + 1);
    assert_int_equal(runs.count, 1);
    for (int hour = 1; hour < 24; hour++) {
        driver_pass_time(driver, DAY_MS / 24);
        driver_restart_core(driver);
    }
    assert_int_equal(runs.count, 1);
    driver_pass_time(driver, DAY_MS / 24);
    driver_restart_core(driver);
    driver_pass_time(driver, 1000);
    assert_int_equal(runs.count, 2);
}

static void an_interrupted_run_deletes_the_rest_after_the_restart(void **state)
{
    struct driver *driver = *state;
    struct runs runs = {.count = 0};
    int64_t left = 0;
    restart_with_settings(driver, &runs, 3);
    assert_int_equal(
        sql_run_script(driver->storage,
                       "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)"
                       " INSERT INTO chat (channel, kind, from_name, to_name, text, at_ms, conn,"
                       " request) SELECT 0, 0, 'bob', '', 'many lines', 1, 0, 0 FROM n"),
        STORAGE_OK);
    driver_commit(driver);
    driver_pass_time(driver, DAY_MS + 150);
    left = count_rows(driver, "chat WHERE text = 'many lines'");
    assert_in_range(left, 1, 999);
    assert_int_equal(runs.count, 0);
    driver_restart_core(driver);
    driver_pass_time(driver, 1);
    assert_in_range(count_rows(driver, "chat WHERE text = 'many lines'"), left - 200, left);
    driver_pass_time(driver, 10000);
    assert_int_equal(count_rows(driver, "chat WHERE text = 'many lines'"), 0);
    assert_int_equal(runs.count, 1);
}

static void a_clock_that_jumps_far_ahead_deletes_nothing_for_a_day(void **state)
{
    struct driver *driver = *state;
    struct runs runs = {.count = 0};
    int64_t now_ms = 0;
    restart_with_settings(driver, &runs, 300);
    pass_days(driver, 3);
    driver_restart_core(driver);
    driver_enter_as_guest(driver, LATER);
    driver_ok(driver, LATER, SAY("a new line"));
    assert_true(runs.count > 0);
    runs.count = 0;
    now_ms = driver->now_ms;
    driver->now_ms += 3650 * DAY_MS; /* the machine's clock is wrong */
    driver_restart_core(driver);
    driver_pass_time(driver, DAY_MS / 2);
    assert_int_equal(runs.count, 0);
    driver->now_ms = now_ms + DAY_MS / 2; /* and is set back before a day is over */
    driver_restart_core(driver);
    pass_days(driver, 3);
    assert_true(runs.count > 0);
    assert_int_equal(count_rows(driver, "chat WHERE text = 'a new line'"), 1);
}

static void a_house_that_stays_ahead_deletes_after_that_day(void **state)
{
    struct driver *driver = *state;
    struct runs runs = {.count = 0};
    restart_with_settings(driver, &runs, 300);
    driver_enter_as_guest(driver, LATER);
    driver_ok(driver, LATER, SAY("an old line"));
    pass_days(driver, 3);
    driver->now_ms += 400 * DAY_MS; /* the house was closed that long */
    driver_restart_core(driver);
    driver_pass_time(driver, DAY_MS - 1000);
    assert_int_equal(count_rows(driver, "chat WHERE text = 'an old line'"), 1);
    driver_pass_time(driver, 2000);
    assert_int_equal(count_rows(driver, "chat WHERE text = 'an old line'"), 0);
}

static void guests_and_counts_of_new_accounts_are_forgotten_although_nobody_comes(void **state)
{
    struct driver *driver = *state;
    struct runs runs = {.count = 0};
    driver_enter_as_guest_from(driver, LATER, "198.51.100.4");
    driver_disconnect(driver, LATER);
    driver_sign_up_from(driver, LATER, "joe", "198.51.100.5");
    driver_disconnect(driver, LATER);
    assert_true(count_rows(driver, "guests") > 0);
    assert_true(count_rows(driver, "registrations") > 0);
    restart_with_settings(driver, &runs, 0);
    pass_days(driver, 3);
    assert_int_equal(count_rows(driver, "guests"), 0);
    assert_int_equal(count_rows(driver, "registrations"), 0);
}

static void old_addresses_in_the_audit_log_are_sealed_and_it_stays_whole(void **state)
{
    struct driver *driver = *state;
    struct runs runs = {.count = 0};
    order_ok(driver, MAX, "mute bob 1d capitals");
    restart_with_settings(driver, &runs, 10);
    assert_true(count_rows(driver, "audit WHERE address LIKE '%.%'") > 0);
    pass_days(driver, 12);
    assert_int_equal(count_rows(driver, "audit WHERE address LIKE '%.%'"), 0);
    assert_true(count_rows(driver, "audit WHERE address LIKE '#%' AND verb = 'mute'"
                                   " AND target_name = 'bob'") > 0);
    struct storage_audit_check check;
    assert_int_equal(storage_audit_verify(driver->storage, 1, INT64_MAX, &check), STORAGE_OK);
    assert_int_equal(check.bad, 0);
    assert_int_equal(check.rows, count_rows(driver, "audit"));
}

TEST_GROUP(retention)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(old_addresses_in_the_audit_log_are_sealed_and_it_stays_whole),
        ORDER_TEST(a_run_a_day_deletes_what_is_older_than_the_settings_say),
        ORDER_TEST(with_settings_of_0_nothing_is_deleted),
        ORDER_TEST(a_restart_neither_repeats_nor_postpones_a_run),
        ORDER_TEST(an_interrupted_run_deletes_the_rest_after_the_restart),
        ORDER_TEST(a_clock_that_jumps_far_ahead_deletes_nothing_for_a_day),
        ORDER_TEST(a_house_that_stays_ahead_deletes_after_that_day),
        ORDER_TEST(guests_and_counts_of_new_accounts_are_forgotten_although_nobody_comes),
    };
    return cmocka_run_group_tests_name("retention", tests, NULL, NULL);
}
