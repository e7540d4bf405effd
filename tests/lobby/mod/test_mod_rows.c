#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* Tests rows of the audit log, column by column. */

#define ADA_KEY "SHA256:AdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAdaAda1"
#define SAY "{'t':'say','to':'lobby','kind':'say','text':'hello'}"

static int64_t read_account_number(struct driver *driver, const char *name)
{
    struct storage_account account;
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    return account.id;
}

static void expect_text(const char *column, const char *actual, const char *expected)
{
    if (strcmp(actual, expected == NULL ? "" : expected) != 0) {
        fail_msg("%s is \"%s\", not \"%s\"", column, actual, expected == NULL ? "" : expected);
    }
}

static void expect_number(const char *column, int64_t actual, int64_t expected)
{
    if (actual != expected) {
        fail_msg("%s is %lld, not %lld", column, (long long)actual, (long long)expected);
    }
}

#define INSIST(...) STORAGE_COLUMN(INSIST_OF, __VA_ARGS__)
#define INSIST_OF(how, type, after, last, member, column)                                          \
    INSIST_##how(#column, actual->member, expected->member);
#define INSIST_INTEGER expect_number
#define INSIST_BORROWED expect_text

/* Expects the newest row of the audit log to have these values in every column. */
static void expect_newest_audit_row(struct driver *driver, const struct storage_audit *expected)
{
    const struct storage_audit *actual = order_newest_audit_row(driver);

    STORAGE_AUDIT_COLUMNS(INSIST, INSIST)
}

static struct storage_audit make_expected_audit_row_of_max(struct driver *driver)
{
    return (struct storage_audit){
        .at_ms = driver->now_ms,
        .actor = read_account_number(driver, "max"),
        .actor_name = "max",
        .actor_role = "mod",
        .session = MAX,
        .address = "127.0.0.1",
        .via = "tui",
        .result = "ok",
    };
}

static void the_audit_row_of_a_sanction_is_complete(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "yes mute bob 2h scope=lobby shouting // third time");
    struct storage_audit row = make_expected_audit_row_of_max(driver);
    row.verb = "mute";
    row.arguments = "bob 2h scope=lobby shouting // third time";
    row.target_type = "user";
    row.target_id = read_account_number(driver, "bob");
    row.target_name = "bob";
    row.scope = "lobby";
    row.duration_ms = 7200000;
    row.expires_ms = driver->now_ms + 7200000;
    row.reason = "shouting";
    row.note = "third time";
    char *after = strdup(order_newest_audit_row(driver)->state_after);
    assert_non_null(strstr(after, "\"reason\":\"shouting\""));
    row.state_after = after;
    expect_newest_audit_row(driver, &row);
    driver_pass_time(driver, 1000);
    order_ok(driver, MAX, "unmute bob calm again");
    struct storage_audit lifted = make_expected_audit_row_of_max(driver);
    lifted.verb = "unmute";
    lifted.arguments = "bob calm again";
    lifted.target_type = "user";
    lifted.target_id = row.target_id;
    lifted.target_name = "bob";
    lifted.reason = "calm again";
    lifted.state_before = after;
    lifted.reverses = 1;
    expect_newest_audit_row(driver, &lifted);
    free(after);
}

static void an_audit_row_names_the_ssh_key_that_the_actor_signed_in_with(void **state)
{
    struct driver *driver = *state;
    struct storage_key key = {.fingerprint = ADA_KEY, .type = "ssh-ed25519", .added_ms = 1};
    assert_int_equal(storage_key_add(driver->storage, read_account_number(driver, "ada"), &key),
                     STORAGE_OK);
    driver_connect_from(driver, LATER, "198.51.100.9", "ssh");
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    driver_ok(driver, LATER,
              "{'t':'sign_in','method':'key','name':'ada',"
              "'key':{'type':'ssh-ed25519','fingerprint':'%s'}}",
              ADA_KEY);
    driver_ok(driver, LATER, "{'t':'step_up','password':'password of ada'}");
    order_ok(driver, LATER, "note bob polite");
    struct storage_audit row = {
        .at_ms = driver->now_ms,
        .actor = read_account_number(driver, "ada"),
        .actor_name = "ada",
        .actor_role = "admin",
        .session = LATER,
        .address = "198.51.100.9",
        .fingerprint = ADA_KEY,
        .via = "tui",
        .verb = "note",
        .arguments = "bob polite",
        .target_type = "user",
        .target_id = read_account_number(driver, "bob"),
        .target_name = "bob",
        .reason = "polite",
        .result = "ok",
    };
    expect_newest_audit_row(driver, &row);
    driver_ok(driver, LATER, "{'t':'mod','line':'registration closed'}");
    const struct storage_audit *message = order_newest_audit_row(driver);
    assert_string_equal(message->fingerprint, ADA_KEY);
    assert_string_equal(message->address, "198.51.100.9");
    assert_int_equal(message->actor, row.actor);
    assert_int_equal(message->session, LATER);
}

static void the_audit_row_of_a_report_names_the_report_its_table_and_its_chat_lines(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, BOB, "{'t':'say','to':'table','kind':'say','text':'one'}");
    driver_ok(driver, BOB, "{'t':'say','to':'table','kind':'say','text':'two'}");
    order_ok(driver, BOB, "report eve spam she sells cards");
    const int64_t last = driver_read_number(driver_newest_message(driver, BOB, "chat"), "n");
    struct storage_audit row = {
        .at_ms = driver->now_ms,
        .actor = read_account_number(driver, "bob"),
        .actor_name = "bob",
        .actor_role = "player",
        .session = BOB,
        .address = "192.0.2.7",
        .via = "tui",
        .verb = "report",
        .arguments = "eve spam",
        .target_type = "user",
        .target_id = read_account_number(driver, "eve"),
        .target_name = "eve",
        .report = 1,
        .table_id = table,
        .line_first = order_newest_audit_row(driver)->line_first,
        .line_last = last,
        .result = "ok",
    };
    assert_true(row.line_first > 0 && row.line_first < last);
    expect_newest_audit_row(driver, &row);
}

static void a_refused_action_has_an_audit_row_with_its_error_code(void **state)
{
    struct driver *driver = *state;
    order_no(driver, MAX, "role", "ban ada 1d why");
    struct storage_audit row = make_expected_audit_row_of_max(driver);
    row.verb = "ban";
    row.arguments = "ada 1d why";
    row.target_type = "user";
    row.target_id = read_account_number(driver, "ada");
    row.target_name = "ada";
    row.duration_ms = 86400000;
    row.reason = "why";
    row.result = "denied";
    row.error = "role";
    expect_newest_audit_row(driver, &row);
    order_no(driver, MAX, "unknown", "unmute bob");
    row = make_expected_audit_row_of_max(driver);
    row.verb = "unmute";
    row.arguments = "bob";
    row.target_type = "user";
    row.target_id = read_account_number(driver, "bob");
    row.target_name = "bob";
    row.result = "error";
    row.error = "unknown";
    expect_newest_audit_row(driver, &row);
}

static void the_houses_own_actions_are_recorded_as_its_own(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 10m shouting");
    int64_t ends_ms = driver->now_ms + 600000;
    driver_pass_time(driver, 600000);
    struct storage_audit row = {
        .at_ms = driver->now_ms,
        .actor_name = "the house",
        .actor_role = "house",
        .via = "system",
        .verb = "expire",
        .arguments = "mute",
        .target_type = "user",
        .target_id = read_account_number(driver, "bob"),
        .target_name = "bob",
        .expires_ms = ends_ms,
        .reason = "shouting",
        .result = "ok",
    };
    expect_newest_audit_row(driver, &row);
}

/* Gives the same command in four ways: typed in the lobby, as an ssh command, from a program, and
 * in a shell on the server. */
static void an_audit_row_names_the_interface_that_was_used(void **state)
{
    struct driver *driver = *state;
    static const struct way {
        const char *transport, *as, *via;
    } ways[] = {
        {"ssh", NULL, "tui"},
        {"ssh", "ask", "exec"},
        {"ssh", "program", "api"},
    };
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        driver_connect_from(driver, LATER, "192.0.2.9", ways[i].transport);
        driver_send(driver, LATER, "{'t':'hello','protocol':3}");
        driver_ok(driver, LATER,
                  "{'t':'sign_in','method':'password','name':'ada',%s"
                  "'password':'password of ada'}",
                  ways[i].as == NULL ? "" : "'asks':true,");
        if (ways[i].as != NULL && strcmp(ways[i].as, "program") == 0) {
            driver_ok(driver, LATER, "{'t':'come_in','as':'program'}");
        }
        driver_ok(driver, LATER, "{'t':'step_up','password':'password of ada'}");
        order_ok(driver, LATER, "note bob polite");
        assert_string_equal(order_newest_audit_row(driver)->via, ways[i].via);
        driver_ok(driver, LATER, "{'t':'mod','line':'note bob kind','via':'exec'}");
        assert_string_equal(order_newest_audit_row(driver)->via,
                            strcmp(ways[i].via, "tui") == 0 ? "exec" : ways[i].via);
        driver_ok(driver, LATER, "{'t':'mod','line':'registration open'}");
        assert_string_equal(order_newest_audit_row(driver)->via, ways[i].via);
        order_ok(driver, MAX, "hold eve why");
        driver_ok(driver, LATER, "{'t':'mod','line':'release eve'}");
        assert_string_equal(order_newest_audit_row(driver)->via, ways[i].via);
        driver_disconnect(driver, LATER);
    }
    order_ok(driver, OWNER, "note bob polite");
    assert_string_equal(order_newest_audit_row(driver)->via, "system");
    order_ok(driver, MAX, "hold eve why");
    driver_ok(driver, OWNER, "{'t':'mod','line':'release eve'}");
    assert_string_equal(order_newest_audit_row(driver)->via, "system");
}

static void send_backup_result(struct driver *driver, const char *result_fields)
{
    int64_t job = driver_read_number(driver_newest_message(driver, LATER, "backup"), "job");
    driver_send(driver, LATER, "{'t':'backed_up','job':%d,%s}", (int)job, result_fields);
}

static void a_backup_is_recorded_with_its_result(void **state)
{
    struct driver *driver = *state;
    driver_connect(driver, LATER, PEER_KEEPER);
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    assert_null(driver_request(driver, ADA, "{'t':'mod','line':'backup'}"));
    assert_null(driver_request(driver, OWNER, "{'t':'mod','line':'backup'}"));
    order_expect_no_audit_row(driver);
    driver_pass_time(driver, 5000);
    send_backup_result(driver, "'why':'no room'");
    order_expect_audit_rows(driver, 2, "the owner backup  error");
    assert_string_equal(order_newest_audit_row(driver)->error, "failed");
    assert_string_equal(order_newest_audit_row(driver)->state_after, "{\"why\":\"no room\"}");
    assert_string_equal(order_newest_audit_row(driver)->via, "system");
    assert_null(driver_request(driver, ADA, "{'t':'mod','line':'backup'}"));
    driver_disconnect(driver, ADA);
    send_backup_result(driver, "'path':'/backups/x.db'");
    order_expect_audit_row(driver, "ada backup  ok");
    struct storage_audit row = {
        .at_ms = driver->now_ms,
        .actor = read_account_number(driver, "ada"),
        .actor_name = "ada",
        .actor_role = "admin",
        .session = ADA,
        .address = "127.0.0.1",
        .via = "tui",
        .verb = "backup",
        .state_after = "{\"path\":\"/backups/x.db\"}",
        .result = "ok",
    };
    expect_newest_audit_row(driver, &row);
}

static void a_command_awaiting_confirmation_is_recorded_only_after_yes(void **state)
{
    struct driver *driver = *state;
    static const char *const lines[] = {"role bob admin why", "delete eve why",
                                        "merge eve bob why"};
    char line[80];
    (void)driver_open_table(driver, BOB, 3, 0);
    order_no(driver, ADA, "confirm", "observe #1 why");
    order_expect_no_audit_row(driver);
    driver_ok(driver, BOB, "{'t':'table_leave'}");
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        order_no(driver, ADA, "confirm", lines[i]);
        order_expect_no_audit_row(driver);
    }
    driver_disconnect(driver, MAX);
    driver_sign_in(driver, MAX, "max");
    order_no(driver, MAX, "step_up", "mute bob 1h why");
    order_no(driver, MAX, "step_up", "kick bob why");
    order_expect_no_audit_row(driver);
    (void)snprintf(line, sizeof line, "yes %s", lines[1]);
    order_ok(driver, ADA, line);
    order_expect_audit_row(driver, "ada delete eve ok");
}

TEST_GROUP(mod_rows)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(the_audit_row_of_a_sanction_is_complete),
        ORDER_TEST(an_audit_row_names_the_ssh_key_that_the_actor_signed_in_with),
        ORDER_TEST(the_audit_row_of_a_report_names_the_report_its_table_and_its_chat_lines),
        ORDER_TEST(a_refused_action_has_an_audit_row_with_its_error_code),
        ORDER_TEST(the_houses_own_actions_are_recorded_as_its_own),
        ORDER_TEST(an_audit_row_names_the_interface_that_was_used),
        ORDER_TEST(a_backup_is_recorded_with_its_result),
        ORDER_TEST(a_command_awaiting_confirmation_is_recorded_only_after_yes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
