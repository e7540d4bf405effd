#include "lobby/protocol/protocol.h"
#include "storage/mod/mod.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Tests moderation commands in general: how they are typed, who may give them, and what the audit
 * log records. */

#define SAY "{'t':'say','to':'lobby','kind':'say','text':'hello'}"

static void a_moderation_command_is_carried_out_and_recorded_in_the_log(void **state)
{
    struct driver *driver = *state;
    const char *said =
        order_ok(driver, MAX, "mute bob 15m scope=lobby spam in capitals // 3rd time");
    assert_non_null(strstr(said, "15 minutes"));
    assert_non_null(strstr(said, "spam in capitals"));
    assert_null(strstr(said, "3rd time"));
    order_expect_audit_row(driver, "max mute bob ok");
    said = order_ok(driver, ADA, "audit verb=mute");
    assert_non_null(strstr(said, "max (mod, tui)"));
    assert_non_null(strstr(said, "bob 15m scope=lobby spam in capitals // 3rd time"));
}

static void a_command_may_be_typed_with_a_slash_before_it(void **state)
{
    order_ok(*state, MAX, "/warn bob be kind");
    order_expect_audit_row(*state, "max warn bob ok");
}

static void sanctions_require_a_reason(void **state)
{
    struct driver *driver = *state;
    static const char *const lines[] = {
        "warn bob", "mute bob 15m", "suspend bob 7d", "ban bob 7d", "ban bob 7d // only a note",
        "kick bob"};
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        order_no(driver, MAX, "reason", lines[i]);
    }
    driver_ok(driver, BOB, SAY);
}

static void a_duration_is_a_whole_number_and_a_letter(void **state)
{
    struct driver *driver = *state;
    static const char *const good[] = {"30s", "15m", "12h", "7d", "4w"};
    static const char *const bad[] = {"15", "m", "15x", "-3m", "0m", "1.5h", "15min", "99999999w"};
    char line[80];
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        snprintf(line, sizeof line, "mute bob %s why", good[i]);
        order_ok(driver, MAX, line);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        snprintf(line, sizeof line, "mute bob %s why", bad[i]);
        order_no(driver, MAX, "bad", line);
    }
}

static void players_may_not_use_commands_of_staff(void **state)
{
    struct driver *driver = *state;
    static const char *const lines[] = {
        "warn eve why",   "mute eve 1h why", "unmute eve", "suspend eve 1d why", "unsuspend eve",
        "ban eve 1d why", "unban eve why",   "banlist",    "banedit 1 1d why",   "audit"};
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        order_no(driver, BOB, "role", lines[i]);
    }
    order_expect_audit_row(driver, "bob audit  denied");
    driver_ok(driver, EVE, SAY);
}

static void moderators_may_not_use_commands_of_admins(void **state)
{
    order_no(*state, MAX, "role", "audit");
    order_expect_audit_row(*state, "max audit  denied");
    order_no(*state, MAX, "role", "ban bob 31d why");
    order_expect_audit_row(*state, "max ban bob denied");
    order_no(*state, MAX, "role", "ban bob perm why");
    order_ok(*state, ADA, "ban bob perm why");
}

static void nobody_may_sanction_themselves_an_equal_or_a_superior(void **state)
{
    struct driver *driver = *state;
    order_no(driver, MAX, "self", "mute max 1h why");
    order_no(driver, MAX, "role", "mute ada 1h why");
    order_no(driver, ADA, "self", "ban ada 1d why");
    order_expect_audit_row(driver, "ada ban ada denied");
    order_set_role(driver, "eve", STORAGE_ROLE_MOD);
    order_no(driver, MAX, "role", "kick eve why");
    order_ok(driver, ADA, "mute eve 1h why");
    order_ok(driver, OWNER, "mute ada 1h why");
    order_expect_audit_row(driver, "the owner mute ada ok");
}

static void staff_must_confirm_their_password_first(void **state)
{
    struct driver *driver = *state;
    driver_disconnect(driver, MAX);
    driver_sign_in(driver, MAX, "max");
    order_no(driver, MAX, "step_up", "mute bob 1h why");
    driver_ok(driver, BOB, SAY);
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    order_ok(driver, MAX, "mute bob 1h why");
    driver_no(driver, BOB, "muted", SAY);
}

static void staff_are_notified_of_each_others_actions(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 1h why");
    order_expect_message(driver, ADA, "notice", "max: /mute bob 1h why");
    assert_int_equal(driver_count_messages(driver, EVE, "notice"), 0);
}

static void an_invalid_command_is_explained_and_changes_nothing(void **state)
{
    struct driver *driver = *state;
    order_no(driver, MAX, "unknown", "behead bob why");
    order_no(driver, MAX, "unknown", "mute nobody 1h why");
    order_no(driver, MAX, "bad", "mute");
    order_no(driver, MAX, "bad", "mute bob 1h scope=moon why");
    order_no(driver, MAX, "bad", "banlist one two");
    driver_no(driver, MAX, "empty", "{'t':'mod','line':'   '}");
    driver_no(driver, MAX, "empty", "{'t':'mod'}");
    driver_ok(driver, BOB, SAY);
}

static void the_audit_log_can_be_searched(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 1h one");
    driver_pass_time(driver, 7200000);
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    order_ok(driver, MAX, "warn eve two");
    const char *said = order_ok(driver, ADA, "audit actor=max since=1h");
    assert_non_null(strstr(said, "two"));
    assert_null(strstr(said, "one"));
    assert_non_null(strstr(order_ok(driver, ADA, "audit target=bob verb=mute"), "one"));
    said = order_ok(driver, ADA, "audit verb=expire");
    assert_non_null(strstr(said, "the house"));
    order_no(driver, ADA, "bad", "audit since=yesterday");
    order_no(driver, ADA, "bad", "audit max=many");
}

static void help_lists_exactly_the_commands_that_the_requesters_role_allows(void **state)
{
    static const struct {
        int64_t conn;
        enum rank rank;
    } people[] = {{BOB, RANK_HOST}, {MAX, RANK_MOD}, {ADA, RANK_ADMIN}, {OWNER, RANK_OWNER}};
    const struct mod_command_info *words;
    for (size_t i = 0; i < ARRAY_LEN(people); i++) {
        const char *said = order_ok(*state, people[i].conn, "help");
        for (size_t at = 0; (words = mod_command_info_at(at)) != NULL; at++) {
            char line[600];
            snprintf(line, sizeof line, "%s %s · %s\n", words->name, words->args, words->help);
            assert_int_equal(strstr(said, line) != NULL, words->rank <= people[i].rank);
        }
    }
}

/* Sends moderation commands whose words are drawn at random from a list. */
static void every_command_line_of_random_words_is_answered(void **state)
{
    struct driver *driver = *state;
    static const char *const parts[] = {"yes",         "mute",
                                        "ban",         "bob",
                                        "ip=",         "ip=1.2.3.4/99",
                                        "#1",          "@1",
                                        "key=SHA256:", "7d",
                                        "perm",        "scope=",
                                        "=",           "//",
                                        "-1",          "99999999999999999999",
                                        "eve",         "merge",
                                        "audit",       "since=",
                                        "max=x",       "from=-1",
                                        "verify",      "hide",
                                        "log",         "rename",
                                        "/",           "é",
                                        "shutdown",    "slow",
                                        "lobby"};
    uint32_t seed = 1;
    for (int i = 0; i < 4000; i++) {
        char line[256] = "";
        for (int word = 0; word < 6; word++) {
            seed = seed * 1664525 + 1013904223;
            const char *part = parts[(seed >> 16) % ARRAY_LEN(parts)];
            snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s", word > 0 ? " " : "",
                     part);
        }
        assert_non_null(driver_request(driver, OWNER, "{'t':'mod','line':'%s'}", line));
        assert_int_equal(driver->result, HOUSE_OK);
        driver_clear_inbox(driver, OWNER);
    }
    assert_non_null(strstr(order_ok(driver, OWNER, "audit verify"), "rows"));
}

static void the_audit_log_passes_verification(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 1h one");
    order_ok(driver, MAX, "unmute bob");
    assert_non_null(strstr(order_ok(driver, ADA, "audit verify"), "2 rows"));
    order_ok(driver, ADA, "audit verify from=2");
}

static void a_word_like_an_option_never_becomes_part_of_a_reason(void **state)
{
    struct driver *driver = *state;
    static const char *const lines[] = {
        "mute bob 1h scpoe=lobby why",
        "mute bob 1h Scope=lobby why",
        "mute bob 1h --scope=lobby why",
        "mute bob scpoe=lobby 1h why",
        "mute bob 1h why scope=lobby",
        "mute bob 1h why scpoe=lobby",
        "mute bob 1h scope= why",
        "mute bob 1h scope=lobby scope=table why",
        "suspend bob 1h scope=lobby why",
        "unmute bob scope=lobby",
        "warn bob scope=lobby why",
        "log lobby scope=table",
        "log lobby sinec=1h",
        "log lobby since=soon",
        "audit vreb=mute",
        "audit since=soon",
    };
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        order_no(driver, OWNER, "bad", lines[i]);
    }
    driver_ok(driver, BOB, SAY);
    order_ok(driver, MAX, "mute bob 1h scope=table he posts https://a.example/?x=1 // see=here");
    order_ok(driver, MAX, "warn bob writing a=b everywhere");
}

TEST_GROUP(mod)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(a_moderation_command_is_carried_out_and_recorded_in_the_log),
        ORDER_TEST(a_command_may_be_typed_with_a_slash_before_it),
        ORDER_TEST(sanctions_require_a_reason),
        ORDER_TEST(a_duration_is_a_whole_number_and_a_letter),
        ORDER_TEST(players_may_not_use_commands_of_staff),
        ORDER_TEST(moderators_may_not_use_commands_of_admins),
        ORDER_TEST(nobody_may_sanction_themselves_an_equal_or_a_superior),
        ORDER_TEST(staff_must_confirm_their_password_first),
        ORDER_TEST(staff_are_notified_of_each_others_actions),
        ORDER_TEST(an_invalid_command_is_explained_and_changes_nothing),
        ORDER_TEST(a_word_like_an_option_never_becomes_part_of_a_reason),
        ORDER_TEST(the_audit_log_can_be_searched),
        ORDER_TEST(help_lists_exactly_the_commands_that_the_requesters_role_allows),
        ORDER_TEST(every_command_line_of_random_words_is_answered),
        ORDER_TEST(the_audit_log_passes_verification),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
