#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Appeals are numbered cases: staff list and answer them with the reports, and the author reads the
 * answer. */

#define LOBBY "{'t':'say','to':'lobby','kind':'say','text':'hello'}"
#define DAY_MS INT64_C(86400000)

static void confirm_identity_of_staff_again(struct driver *driver)
{
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
}

/* Tries to sign in, which must be refused; returns the reason that the refusal gives. */
static const char *read_refusal_at_sign_in(struct driver *driver, const char *name)
{
    driver_disconnect(driver, LATER);
    driver_clear_inbox(driver, LATER);
    order_sign_in(driver, LATER, name, "192.0.2.9", "banned");
    return driver_read_text(driver_newest_message(driver, LATER, "no"), "why");
}

static void send_appeal_at_sign_in(struct driver *driver, const char *name,
                                   const char *refusal_code)
{
    driver_no(driver, LATER, refusal_code,
              "{'t':'sign_in','method':'password','name':'%s','password':'appeal it was my cat'}",
              name);
}

static const char *const against[] = {"mute bob 10d shouting", "suspend bob 10d stalling",
                                      "warn bob be kind", "hold bob too many names",
                                      "rankban bob 10d sandbagging"};

static void every_appeal_has_a_number_and_is_listed_with_the_reports(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(against); i++) {
        void *own = NULL;
        assert_int_equal(order_setup(&own), 0);
        struct driver *driver = own;
        order_ok(driver, EVE, "report max abuse he mutes everybody");
        order_ok(driver, ADA, against[i]);
        assert_non_null(strstr(order_ok(driver, BOB, "appeal it was my cat"), "number 2"));
        order_expect_audit_row(driver, "bob appeal  ok");
        order_expect_message(driver, MAX, "notice", "it was my cat");
        order_expect_message(driver, MAX, "notice", "/take 2");
        assert_non_null(strstr(order_ok(driver, ADA, "reports"), "it was my cat"));
        assert_non_null(strstr(order_ok(driver, ADA, "reports 2"), "bob"));
        const char *desk = order_ok(driver, ADA, "desk");
        assert_non_null(strstr(desk, "he mutes everybody"));
        assert_non_null(strstr(desk, "it was my cat"));
        assert_non_null(strstr(order_ok(driver, BOB, "reports mine"), "it was my cat"));
        assert_int_equal(driver_teardown(&own), 0);
    }
}

/* Each row: a command that sanctions bob, a request of bob's that the sanction forbids, and the
 * code of its refusal. */
static const struct shown {
    const char *against, *asked, *code;
} shown[] = {
    {"mute bob 10d shouting", LOBBY, "muted"},
    {"suspend bob 10d stalling", "{'t':'table_open','game':'oh-hell','players':3,'options':{}}",
     "suspended"},
    {"hold bob too many names", LOBBY, "held"},
    {"warn bob be kind", LOBBY, "warned"},
};

static void resolving_an_appeal_lifts_the_sanction(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        void *own = NULL;
        assert_int_equal(order_setup(&own), 0);
        struct driver *driver = own;
        order_ok(driver, MAX, shown[i].against);
        driver_no(driver, BOB, shown[i].code, "%s", shown[i].asked);
        order_ok(driver, BOB, "appeal it was my cat");
        order_ok(driver, MAX, "take 1");
        assert_non_null(strstr(order_ok(driver, MAX, "resolve 1 cats do that"), "lifted"));
        order_expect_audit_row(driver, "max resolve bob ok");
        driver_ok(driver, BOB, "%s", shown[i].asked);
        order_expect_message(driver, BOB, "notice",
                             "Your appeal 1 is granted, by max: cats do that");
        assert_non_null(strstr(order_ok(driver, MAX, "reports"), "No report"));
        assert_int_equal(driver_teardown(&own), 0);
    }
}

static void dismissing_an_appeal_keeps_the_sanction(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 10d shouting");
    order_ok(driver, BOB, "appeal it was my cat");
    order_ok(driver, MAX, "dismiss 1 you have none");
    order_expect_message(driver, BOB, "notice", "Your appeal 1 is refused, by max: you have none");
    driver_no(driver, BOB, "muted", LOBBY);
    assert_non_null(strstr(order_ok(driver, BOB, "reports mine"), "you have none"));
    order_no(driver, MAX, "bad", "resolve 1 well");
}

static void a_moderator_cannot_grant_an_appeal_against_an_admins_decision(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "mute bob 10d shouting");
    order_ok(driver, ADA, "hold eve too many names");
    order_ok(driver, BOB, "appeal it was my cat");
    order_ok(driver, EVE, "appeal I have but one");
    order_no(driver, MAX, "role", "resolve 1 cats do that");
    order_expect_audit_row(driver, "max resolve bob denied");
    order_no(driver, MAX, "role", "resolve 2 well");
    driver_no(driver, BOB, "muted", LOBBY);
    driver_no(driver, EVE, "held", LOBBY);
    order_ok(driver, ADA, "resolve 1 cats do that");
    order_ok(driver, ADA, "resolve 2 well");
    driver_ok(driver, BOB, LOBBY);
    driver_ok(driver, EVE, LOBBY);
}

static void nobody_answers_their_own_appeal(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "mute max 10d shouting");
    order_ok(driver, MAX, "appeal it was my cat");
    order_no(driver, MAX, "self", "resolve 1 well");
    order_no(driver, MAX, "self", "take 1");
}

static void only_one_appeal_for_each_sanction_may_await_an_answer(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 10d shouting");
    order_ok(driver, BOB, "appeal it was my cat");
    order_no(driver, BOB, "too_many", "appeal and my dog");
    order_ok(driver, MAX, "suspend bob 10d stalling");
    order_ok(driver, BOB, "appeal that was my dog");
    order_no(driver, BOB, "too_many", "appeal and my cow");
    driver_pass_time(driver, 2 * DAY_MS);
    confirm_identity_of_staff_again(driver);
    order_no(driver, BOB, "too_many", "appeal nobody has answered");
    order_ok(driver, MAX, "dismiss 1 no");
    assert_non_null(strstr(order_ok(driver, BOB, "appeal think again"), "number 3"));
}

/* Counts the answers to appeals that this connection was sent. */
static size_t count_appeal_answers(const struct driver *driver, int64_t conn)
{
    size_t i, count = 0;
    const json_t *message;
    json_array_foreach(driver->inbox[conn], i, message)
    {
        count += strcmp(driver_read_text(message, "t"), "notice") == 0 &&
                 strncmp(driver_read_text(message, "text"), "Your ", 5) == 0;
    }
    return count;
}

static void answers_to_appeals_are_shown_once_at_the_next_sign_in(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, BOB, "report eve spam cards");
    order_ok(driver, MAX, "mute bob 10d shouting");
    order_ok(driver, BOB, "appeal it was my cat");
    driver_disconnect(driver, BOB);
    order_ok(driver, MAX, "resolve 1 we told her");
    order_ok(driver, MAX, "dismiss 2 no");
    driver_restart_core(driver);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(count_appeal_answers(driver, BOB), 2);
    driver_disconnect(driver, BOB);
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(count_appeal_answers(driver, BOB), 0);
}

static void the_author_of_an_appeal_gets_the_answer_even_when_renamed(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, BOB, "report eve spam cards");
    order_ok(driver, MAX, "mute bob 10d shouting");
    order_ok(driver, BOB, "appeal it was my cat");
    order_ok(driver, MAX, "rename bob robert why");
    order_ok(driver, MAX, "resolve 1 we told her");
    order_expect_message(driver, BOB, "notice", "we told her");
    order_ok(driver, MAX, "resolve 2 cats do that");
    order_expect_message(driver, BOB, "notice", "cats do that");
    driver_ok(driver, BOB, LOBBY);
}

static void somebody_banned_reads_the_answer_to_their_appeal_at_sign_in(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "ban bob 7d cheating");
    driver_disconnect(driver, BOB);
    assert_null(strstr(read_refusal_at_sign_in(driver, "bob"), "Your appeal"));
    send_appeal_at_sign_in(driver, "bob", "banned");
    assert_non_null(
        strstr(driver_read_text(driver_newest_message(driver, LATER, "no"), "why"), "number 1"));
    send_appeal_at_sign_in(driver, "bob", "too_many");
    assert_non_null(strstr(order_ok(driver, MAX, "desk"), "it was my cat"));
    assert_non_null(
        strstr(read_refusal_at_sign_in(driver, "bob"), "Your appeal 1 waits for its answer."));
    order_ok(driver, MAX, "dismiss 1 you have no cat");
    assert_non_null(strstr(read_refusal_at_sign_in(driver, "bob"),
                           "Your appeal 1 is refused, by max: you have no cat"));
    driver_restart_core(driver);
    assert_non_null(strstr(read_refusal_at_sign_in(driver, "bob"), "you have no cat"));
    send_appeal_at_sign_in(driver, "bob", "too_many");
    driver_pass_time(driver, DAY_MS);
    send_appeal_at_sign_in(driver, "bob", "banned");
    driver_sign_in(driver, MAX, "max");
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    order_ok(driver, MAX, "resolve 2 you have one now");
    driver_disconnect(driver, LATER);
    order_sign_in(driver, LATER, "bob", "192.0.2.9", NULL);
    driver_commit(driver);
    order_expect_message(driver, LATER, "notice",
                         "Your appeal 2 is granted, by max: you have one now");
}

/* The longest sentence of the house: the ban of another name, with its appeal. */
static void somebody_at_the_address_of_an_appeal_reads_of_it(void **state)
{
    struct driver *driver = *state;
    static const char why[] = "You are banned until ";
    order_ok(driver, MAX, "ban bob 7d cheating");
    driver_disconnect(driver, BOB);
    (void)read_refusal_at_sign_in(driver, "bob");
    send_appeal_at_sign_in(driver, "bob", "banned");
    for (int is_answered = 0; is_answered < 2; is_answered++) {
        driver_connect_from(driver, LATER + 1, "192.0.2.7", "ssh");
        driver_send(driver, LATER + 1, "{'t':'hello','protocol':3}");
        driver_no(driver, LATER + 1, "banned", "{'t':'sign_in','method':'guest'}");
        const char *told = driver_read_text(driver_newest_message(driver, LATER + 1, "no"), "why");
        assert_memory_equal(told, why, sizeof(why) - 1);
        assert_non_null(strstr(told, is_answered
                                         ? "Your appeal 1 is refused, by max: you have no cat"
                                         : "Your appeal 1 waits for its answer."));
        assert_non_null(strstr(told, "To appeal, type the word appeal and your reason."));
        driver_disconnect(driver, LATER + 1);
        if (!is_answered) {
            order_ok(driver, MAX, "dismiss 1 you have no cat");
        }
    }
}

static void an_open_appeal_is_closed_when_its_sanction_ends(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 10d shouting");
    order_ok(driver, BOB, "appeal it was my cat");
    order_ok(driver, MAX, "unmute bob calm again");
    order_expect_message(driver, BOB, "notice", "lifted");
    assert_non_null(strstr(order_ok(driver, BOB, "reports mine"), "calm again"));
    order_ok(driver, MAX, "mute eve 10m shouting");
    order_ok(driver, EVE, "appeal it was bobs cat");
    driver_pass_time(driver, 600000);
    confirm_identity_of_staff_again(driver);
    assert_non_null(strstr(order_ok(driver, EVE, "reports mine"), "The sanction has ended."));
    assert_non_null(strstr(order_ok(driver, MAX, "reports"), "No report"));
}

static void an_appeal_does_not_count_as_a_report(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 10d shouting");
    order_ok(driver, BOB, "appeal it was my cat");
    for (int i = 0; i < 10; i++) {
        driver_pass_time(driver, 5000);
        order_ok(driver, BOB, "report eve spam again");
    }
    order_no(driver, BOB, "too_many", "report eve spam again");
}

static void the_moderators_screen_marks_refused_and_failed_actions(void **state)
{
    struct driver *driver = *state;
    order_no(driver, MAX, "role", "mute ada 1h why");
    order_no(driver, MAX, "unknown", "unban bob why");
    order_ok(driver, MAX, "mute bob 1h why");
    const char *desk = order_ok(driver, ADA, "desk");
    assert_non_null(strstr(desk, "max mute ada: why (refused)"));
    assert_non_null(strstr(desk, "max unban bob: why (failed)"));
    assert_non_null(strstr(desk, "max mute bob: why\n"));
}

static void granting_an_appeal_ends_all_sanctions_of_that_kind(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "mute bob 10d shouting");
    order_ok(driver, BOB, "appeal it was my cat");
    order_ok(driver, MAX, "mute bob 20d shouting louder");
    order_ok(driver, MAX, "suspend bob 1d stalling");
    const char *said = order_ok(driver, MAX, "resolve 1 cats do that");
    assert_non_null(strstr(said, "Lifted: muted (everywhere)"));
    assert_non_null(strstr(said, "Still in force: suspended"));
    driver_ok(driver, BOB, LOBBY);
}

static void granting_the_appeal_of_somebody_held_under_another_name_releases_them(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest_from(driver, LATER, "192.0.2.9");
    order_ok(driver, MAX, "hold guest-1 too many names");
    driver_disconnect(driver, LATER);
    driver_sign_up_from(driver, LATER, "zoe", "192.0.2.9");
    order_ok(driver, LATER, "appeal I have but one");
    const char *said = order_ok(driver, MAX, "resolve 1 well");
    assert_non_null(strstr(said, "zoe is released"));
    driver_ok(driver, LATER, LOBBY);
}

TEST_GROUP(mod_appeals)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_appeal_has_a_number_and_is_listed_with_the_reports),
        cmocka_unit_test(resolving_an_appeal_lifts_the_sanction),
        ORDER_TEST(dismissing_an_appeal_keeps_the_sanction),
        ORDER_TEST(a_moderator_cannot_grant_an_appeal_against_an_admins_decision),
        ORDER_TEST(nobody_answers_their_own_appeal),
        ORDER_TEST(only_one_appeal_for_each_sanction_may_await_an_answer),
        ORDER_TEST(answers_to_appeals_are_shown_once_at_the_next_sign_in),
        ORDER_TEST(the_author_of_an_appeal_gets_the_answer_even_when_renamed),
        ORDER_TEST(somebody_banned_reads_the_answer_to_their_appeal_at_sign_in),
        ORDER_TEST(somebody_at_the_address_of_an_appeal_reads_of_it),
        ORDER_TEST(an_open_appeal_is_closed_when_its_sanction_ends),
        ORDER_TEST(an_appeal_does_not_count_as_a_report),
        ORDER_TEST(the_moderators_screen_marks_refused_and_failed_actions),
        ORDER_TEST(granting_an_appeal_ends_all_sanctions_of_that_kind),
        ORDER_TEST(granting_the_appeal_of_somebody_held_under_another_name_releases_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
