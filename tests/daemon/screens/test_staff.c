#include "tests/daemon/screens/samples.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/* Tests the commands of moderators and admins, and how staff confirm their identity. */

static const char question[] = "Confirm it is you. Your password:";

#define YOU_WITH(role, has_password, has_totp)                                                     \
    "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"" role "\",\"has_password\":" has_password  \
    ",\"has_totp\":" has_totp ",\"settings\":{},\"is_new\":false}"
#define YOU(role, has_password) YOU_WITH(role, has_password, "false")

static struct driver *enter_lobby_as(const char *signed_in_person, bool is_telnet)
{
    struct driver_setup setup = {.you = signed_in_person, .is_telnet = is_telnet};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    return driver;
}

static struct driver *enter_lobby(void)
{
    return enter_lobby_as(YOU("admin", "true"), false);
}

static const char *get_field_of_request(const struct driver *driver, const char *type,
                                        const char *key)
{
    return json_string_value(json_object_get(driver_find_request(driver, type), key));
}

static void a_command_that_needs_confirmation_asks_for_the_password_first(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/release bob\r");
    driver_refuse(driver, "mod", "step_up", "Confirm first that it is you.");
    driver_expect(driver, question);
    driver_type(driver, "correct horse");
    driver_expect_not(driver, "correct");
    driver_type(driver, "\r");
    assert_string_equal(get_field_of_request(driver, "step_up", "password"), "correct horse");
    assert_null(driver_find_request(driver, "mod"));
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    assert_string_equal(get_field_of_request(driver, "mod", "line"), "release bob");
    driver_answer(driver, "mod", "{\"lines\":[\"Released.\"]}");
    driver_expect(driver, "Released");
    driver_free(driver);
}

static void a_question_longer_than_the_input_line_is_shown_whole(void **state)
{
    static const char names[] =
        "guest-1, guest-2, guest-3, guest-4, guest-5, guest-6, guest-7, "
        "guest-8, guest-9, guest-10, guest-11, guest-12, guest-13, guest-14, "
        "guest-15, guest-16, guest-17, guest-18, guest-19, guest-20, ada, bob";
    char why[400];
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/ban ip=192.0.2.0/24 1d a flood\r");
    snprintf(why, sizeof why, "That affects 22 people who are here now: %s. Are you sure?", names);
    driver_refuse(driver, "mod", "confirm", why);
    driver_expect(driver, "That affects 22 people");
    driver_expect(driver, "guest-12,");
    driver_expect(driver, "ada, bob. Are you sure?");
    driver_expect(driver, "y yes");
    driver_type(driver, "y\r");
    assert_string_equal(get_field_of_request(driver, "mod", "line"),
                        "yes ban ip=192.0.2.0/24 1d a flood");
    driver_expect_not(driver, "Are you sure?");
    driver_free(driver);
}

static void the_password_does_not_enter_the_input_history(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/held\r");
    driver_refuse(driver, "held", "step_up", "Confirm first that it is you.");
    driver_type(driver, "correct horse\r");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    driver_answer(driver, "held", "{\"accounts\":[],\"is_more\":false}");
    driver_type(driver, "c\033[A");
    driver_expect(driver, "> /held");
    driver_type(driver, "\033[A");
    driver_expect_not(driver, "horse");
    driver_free(driver);
}

static void the_input_history_cannot_be_recalled_at_the_password_prompt(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/release bob\r");
    driver_refuse(driver, "mod", "step_up", "Confirm first that it is you.");
    driver_type(driver, "\033[Acorrect\033[A horse\r");
    assert_string_equal(get_field_of_request(driver, "step_up", "password"), "correct horse");
    driver_free(driver);
}

static void after_a_wrong_password_it_is_asked_for_again(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/release bob\r");
    driver_refuse(driver, "mod", "step_up", "Confirm first that it is you.");
    driver_type(driver, "correct house\r");
    driver_refuse(driver, "step_up", "denied", "That is not right: try again.");
    driver_expect(driver, "That is not right");
    driver_expect(driver, question);
    driver_type(driver, "correct horse\r");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    assert_string_equal(get_field_of_request(driver, "mod", "line"), "release bob");
    driver_free(driver);
}

static void a_cancelled_confirmation_sends_no_command(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/release bob\r");
    driver_refuse(driver, "mod", "step_up", "Confirm first that it is you.");
    driver_type(driver, "correct\033");
    driver_wait(driver, 100);
    driver_expect(driver, "Not confirmed: nothing was done.");
    assert_null(driver_find_request(driver, "step_up"));
    driver_type(driver, "/confirm\r");
    driver_expect(driver, question);
    driver_type(driver, "correct horse\r");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    driver_expect(driver, "Confirmed, for 10 minutes.");
    assert_null(driver_find_request(driver, "mod"));
    driver_free(driver);
}

static void only_one_command_waits_for_the_password(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/release bob\r/held\r");
    driver_refuse(driver, "mod", "step_up", "Confirm first that it is you.");
    driver_refuse(driver, "held", "step_up", "Confirm first that it is you.");
    driver_expect(driver, question);
    driver_type(driver, "correct horse\r");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    assert_non_null(driver_find_request(driver, "mod"));
    assert_null(driver_find_request(driver, "held"));
    driver_free(driver);
}

static void staff_with_only_an_ssh_key_are_told_how_to_confirm(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_as(YOU("mod", "false"), false);
    driver_type(driver, "/held\r");
    driver_refuse(driver, "held", "no_secret",
                  "A key alone is not enough for that: set a /password or type /totp on.");
    driver_expect(driver, "set a /password or type /totp on");
    driver_type(driver, "/confirm\r");
    driver_expect(driver, "You have no way to confirm it is you");
    driver_push(driver, "{\"t\":\"you\",\"you\":" YOU("mod", "true") "}");
    driver_type(driver, "/confirm\r");
    driver_expect(driver, question);
    driver_free(driver);
}

static void no_confirmation_is_asked_for_over_telnet(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_as(YOU("mod", "true"), true);
    driver_type(driver, "/confirm\r");
    driver_expect(driver, "You cannot confirm by telnet");
    driver_free(driver);
}

static void a_moderation_command_of_the_ssh_command_line_is_marked_as_such(void **state)
{
    (void)state;
    struct driver_setup setup = {
        .you = YOU("mod", "true"), .lines = {.is_on = true}, .is_exec = true};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    driver_type(driver, "/mod ban bob 1d why\r");
    assert_string_equal(get_field_of_request(driver, "mod", "via"), "exec");
    driver_refuse(driver, "mod", "step_up", "Confirm first that it is you.");
    driver_type(driver, "correct horse\r");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    assert_string_equal(get_field_of_request(driver, "mod", "line"), "ban bob 1d why");
    assert_string_equal(get_field_of_request(driver, "mod", "via"), "exec");
    driver_refuse(driver, "mod", "confirm", "Is it meant?");
    driver_type(driver, "y\r");
    assert_string_equal(get_field_of_request(driver, "mod", "line"), "yes ban bob 1d why");
    assert_string_equal(get_field_of_request(driver, "mod", "via"), "exec");
    driver_free(driver);
    driver = enter_lobby();
    driver_type(driver, "/mod ban bob 1d why\r");
    assert_string_equal(get_field_of_request(driver, "mod", "line"), "ban bob 1d why");
    driver_free(driver);
}

static void a_moderation_command_is_sent_as_typed_and_its_answer_shown(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/mute bob 1h scope=pm why // note\r");
    assert_string_equal(get_field_of_request(driver, "mod", "line"),
                        "mute bob 1h scope=pm why // note");
    driver_answer(driver, "mod", "{\"lines\":[\"bob is muted\"]}");
    driver_expect(driver, "bob is muted");
    driver_type(driver, "/banlist\r");
    driver_answer(driver, "mod", "{\"lines\":[\"1 · eve\",\"2 · zed\"]}");
    driver_expect(driver, "1 · eve");
    driver_expect(driver, "2 · zed");
    driver_free(driver);
}

static void a_command_that_affects_many_people_asks_for_confirmation(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/ban ip=192.0.2.0/24 1d flood\r");
    driver_refuse(driver, "mod", "confirm", "That meets 3 people. Is it meant?");
    driver_expect(driver, "Is it meant?");
    driver_type(driver, "n");
    assert_null(driver_find_request(driver, "mod"));
    driver_expect(driver, "Nothing was done.");
    driver_type(driver, "/ban ip=192.0.2.0/24 1d flood\r");
    driver_refuse(driver, "mod", "confirm", "That meets 3 people. Is it meant?");
    driver_type(driver, "y");
    assert_string_equal(get_field_of_request(driver, "mod", "line"),
                        "yes ban ip=192.0.2.0/24 1d flood");
    driver_free(driver);
}

static const char desk[] =
    "{\"lines\":[\"7 · open · bob about eve (spam): capitals\",\"here: eve (muted)\"],"
    "\"data\":{\"reports\":[{\"id\":7,\"state\":\"open\",\"about\":\"eve\","
    "\"category\":\"spam\",\"text\":\"capitals\"}],"
    "\"people\":[{\"name\":\"ada\",\"flags\":\"\"},{\"name\":\"eve\",\"flags\":\"muted\"}],"
    "\"deeds\":[{\"id\":3,\"at\":1,\"actor\":\"max\",\"verb\":\"mute\",\"target\":\"eve\","
    "\"reason\":\"spam\",\"result\":\"ok\"},{\"id\":2,\"at\":1,\"actor\":\"max\",\"verb\":\"ban\","
    "\"target\":\"ada\",\"reason\":\"spite\",\"result\":\"denied\"},{\"id\":1,\"at\":1,\"actor\":"
    "\"ada\",\"verb\":\"backup\",\"target\":\"\",\"reason\":\"\",\"result\":\"error\"}]}}";

static void the_moderators_screen_shows_reports_people_and_the_audit_log(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/mod\r");
    assert_string_equal(get_field_of_request(driver, "mod", "line"), "desk");
    driver_answer(driver, "mod", desk);
    driver_print_screen(driver, "the moderators' screen");
    driver_expect(driver, "Open reports and appeals");
    driver_expect(driver, "eve (spam): capitals");
    driver_expect(driver, "eve: muted");
    driver_expect(driver, "mute eve");
    driver_expect(driver, "ban (refused) ada, spite");
    driver_expect(driver, "backup (failed)");
    driver_type(driver, "\r");
    assert_string_equal(get_field_of_request(driver, "mod", "line"), "reports 7");
    driver_answer(driver, "mod", "{\"lines\":[\"7 · open\",\"481 <eve> BUY NOW\"]}");
    driver_expect(driver, "<eve> BUY NOW");
    driver_type(driver, "q");
    driver_expect(driver, "Open reports and appeals");
    driver_type(driver, "t");
    assert_string_equal(get_field_of_request(driver, "mod", "line"), "take 7");
    driver_answer(driver, "mod", "{\"lines\":[\"Report 7 is yours.\"]}");
    driver_type(driver, "rdone\r");
    assert_string_equal(get_field_of_request(driver, "mod", "line"), "resolve 7 done");
    driver_free(driver);
}

static void the_moderators_screen_works_in_plain_mode(void **state)
{
    (void)state;
    struct driver_setup setup = {.you = YOU("mod", "true"), .lines = {.is_on = true}};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    driver_type(driver, "/mod\r");
    driver_answer(driver, "mod", desk);
    driver_expect_output(driver, "bob about eve (spam): capitals");
    driver_expect_output(driver, "here: eve (muted)");
    driver_free(driver);
}

static void a_chat_line_hidden_by_staff_disappears(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_push(driver, "{\"t\":\"chat\",\"channel\":\"lobby\",\"kind\":\"say\",\"from\":"
                        "\"eve\",\"text\":\"an insult\",\"at\":1,\"n\":900}");
    driver_expect(driver, "an insult");
    driver_push(driver, "{\"t\":\"hidden\",\"lines\":[900]}");
    driver_expect_not(driver, "an insult");
    driver_expect(driver, "removed by a moderator");
    driver_free(driver);
}

static void pending_accounts_are_listed(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/held\r");
    driver_answer(driver, "held", "{\"accounts\":[],\"is_more\":false}");
    driver_expect(driver, "No account awaits approval.");
    driver_type(driver, "/held\r");
    driver_answer(driver, "held",
                  "{\"accounts\":[{\"name\":\"eve\",\"at\":1},{\"name\":\"zed\",\"at\":1}],"
                  "\"is_more\":false}");
    driver_expect(driver, "await approval by /release: eve (");
    driver_free(driver);
}

static void players_do_not_see_staff_commands(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_as(YOU("player", "true"), false);
    driver_type(driver, "/regis\t");
    driver_expect(driver, "> /regis");
    driver_expect_not(driver, "> /registration");
    driver_free(driver);
    driver = enter_lobby();
    driver_type(driver, "/regis\t");
    driver_expect(driver, "> /registration");
    driver_free(driver);
}

static void with_an_authenticator_six_digits_are_taken_as_a_code(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_as(YOU_WITH("mod", "true", "true"), false);
    driver_type(driver, "/confirm\r");
    driver_expect(driver, "Confirm it is you. Password or code:");
    driver_type(driver, "123 456\r");
    assert_string_equal(get_field_of_request(driver, "step_up", "totp"), "123456");
    driver_refuse(driver, "step_up", "denied", "That is not right: try again.");
    driver_type(driver, "1234567\r");
    assert_string_equal(get_field_of_request(driver, "step_up", "password"), "1234567");
    driver_free(driver);
    driver = enter_lobby_as(YOU_WITH("mod", "false", "true"), false);
    driver_type(driver, "/confirm\r");
    driver_expect(driver, "Confirm it is you. Your code:");
    driver_free(driver);
    driver = enter_lobby();
    driver_type(driver, "/confirm\r123456\r");
    assert_string_equal(get_field_of_request(driver, "step_up", "password"), "123456");
    driver_free(driver);
}

static const char begun[] =
    "{\"secret\":\"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\",\"uri\":"
    "\"otpauth://totp/Trickhouse:mira?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\"}";

static void an_authenticator_is_set_up_by_qr_code_or_letters(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_as(YOU("mod", "false"), false);
    driver_type(driver, "/totp on\r");
    driver_answer(driver, "totp_begin", begun);
    driver_print_screen(driver, "an authenticator");
    driver_expect(driver, "▄▄▄▄▄");
    driver_expect(driver, "GEZD GNBV GY3T QOJQ");
    driver_type(driver, "12345\r");
    driver_expect(driver, "A code is six digits");
    driver_type(driver, "123456\r");
    assert_string_equal(get_field_of_request(driver, "totp_confirm", "totp"), "123456");
    driver_refuse(driver, "totp_confirm", "denied", "That is not right: try again.");
    driver_expect(driver, "That is not right");
    driver_type(driver, "234 567\r");
    assert_string_equal(get_field_of_request(driver, "totp_confirm", "totp"), "234567");
    driver_answer(driver, "totp_confirm", "{\"for_s\":600}");
    driver_expect(driver, "codes confirm who you are");
    driver_expect_not(driver, "GEZD");
    driver_free(driver);
}

static void without_room_or_unicode_for_the_qr_code_its_address_is_shown(void **state)
{
    (void)state;
    static const struct driver_setup setups[] = {
        {.columns = 70, .rows = 18, .you = YOU("mod", "false")},
        {.term = "vt100", .you = YOU("mod", "false")},
    };
    for (size_t i = 0; i < sizeof setups / sizeof setups[0]; i++) {
        struct driver *driver = driver_new(&setups[i]);
        samples_push_lobby(driver);
        driver_type(driver, "/totp on\r");
        driver_answer(driver, "totp_begin", begun);
        driver_expect(driver, "otpauth://totp/Trickhouse:mira?secret=GEZDGNBVGY");
        driver_expect(driver, "GEZD GNBV GY3T QOJQ");
        driver_expect_not(driver, "█");
        driver_free(driver);
    }
}

static void an_abandoned_set_up_creates_no_authenticator(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby();
    driver_type(driver, "/totp on\r");
    driver_refuse(driver, "totp_begin", "step_up", "Confirm first that it is you.");
    driver_expect(driver, question);
    driver_type(driver, "\033");
    driver_wait(driver, 100);
    driver_expect(driver, "Not confirmed: nothing was done.");
    driver_expect(driver, "Tables");
    driver_type(driver, "/totp on\r");
    driver_refuse(driver, "totp_begin", "step_up", "Confirm first that it is you.");
    driver_type(driver, "correct horse\r");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    driver_answer(driver, "totp_begin", begun);
    driver_expect(driver, "The code that the authenticator shows:");
    driver_type(driver, "\033");
    driver_wait(driver, 100);
    driver_expect(driver, "the secret is forgotten");
    driver_expect_not(driver, "GEZD");
    driver_free(driver);
}

static void the_authenticator_can_be_turned_off(void **state)
{
    (void)state;
    struct driver *driver = enter_lobby_as(YOU_WITH("mod", "true", "true"), false);
    driver_type(driver, "/totp\r");
    driver_expect(driver, "/totp off");
    driver_type(driver, "/totp off\r");
    driver_answer(driver, "totp_end", NULL);
    driver_expect(driver, "You are no longer asked for authenticator codes.");
    driver_free(driver);
}

static void in_plain_mode_too_an_authenticator_is_set_up(void **state)
{
    (void)state;
    const struct driver_setup setup = {.you = YOU("mod", "true"),
                                       .lines = {.is_on = true, .is_echoed = true}};
    struct driver *driver = driver_new(&setup);
    samples_push_lobby(driver);
    driver_type(driver, "/totp on\r");
    driver_refuse(driver, "totp_begin", "step_up", "Confirm first that it is you.");
    driver_expect_output(driver, question);
    driver_type(driver, "correct horse\r");
    driver_expect_no_output(driver, "horse");
    driver_answer(driver, "step_up", "{\"for_s\":600}");
    driver_answer(driver, "totp_begin", begun);
    driver_expect_output(driver, "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
    driver_expect_output(driver, "The code that the authenticator shows:");
    driver_type(driver, "123456\r");
    assert_string_equal(get_field_of_request(driver, "totp_confirm", "totp"), "123456");
    driver_answer(driver, "totp_confirm", "{\"for_s\":600}");
    driver_expect_output(driver, "codes confirm who you are");
    driver_free(driver);
}

TEST_GROUP(staff)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_that_needs_confirmation_asks_for_the_password_first),
        cmocka_unit_test(a_question_longer_than_the_input_line_is_shown_whole),
        cmocka_unit_test(the_password_does_not_enter_the_input_history),
        cmocka_unit_test(the_input_history_cannot_be_recalled_at_the_password_prompt),
        cmocka_unit_test(after_a_wrong_password_it_is_asked_for_again),
        cmocka_unit_test(a_cancelled_confirmation_sends_no_command),
        cmocka_unit_test(only_one_command_waits_for_the_password),
        cmocka_unit_test(staff_with_only_an_ssh_key_are_told_how_to_confirm),
        cmocka_unit_test(no_confirmation_is_asked_for_over_telnet),
        cmocka_unit_test(a_moderation_command_of_the_ssh_command_line_is_marked_as_such),
        cmocka_unit_test(a_moderation_command_is_sent_as_typed_and_its_answer_shown),
        cmocka_unit_test(a_command_that_affects_many_people_asks_for_confirmation),
        cmocka_unit_test(the_moderators_screen_shows_reports_people_and_the_audit_log),
        cmocka_unit_test(the_moderators_screen_works_in_plain_mode),
        cmocka_unit_test(a_chat_line_hidden_by_staff_disappears),
        cmocka_unit_test(pending_accounts_are_listed),
        cmocka_unit_test(players_do_not_see_staff_commands),
        cmocka_unit_test(with_an_authenticator_six_digits_are_taken_as_a_code),
        cmocka_unit_test(an_authenticator_is_set_up_by_qr_code_or_letters),
        cmocka_unit_test(without_room_or_unicode_for_the_qr_code_its_address_is_shown),
        cmocka_unit_test(an_abandoned_set_up_creates_no_authenticator),
        cmocka_unit_test(the_authenticator_can_be_turned_off),
        cmocka_unit_test(in_plain_mode_too_an_authenticator_is_set_up),
    };
    return cmocka_run_group_tests_name("staff", tests, NULL, NULL);
}
