#include "daemon/session/session_state.h"

#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* Tests the questions of the telnet sign-in that need no answer from the core. */
struct fixture {
    struct login sign_in;
    struct telnet_login login;
    struct bytes typed, out;
};

static void expect_bytes(struct bytes *bytes, const char *wanted)
{
    assert_int_equal(bytes->len, strlen(wanted));
    assert_memory_equal(bytes->at, wanted, bytes->len);
    bytes_drop_first(bytes, bytes->len);
}

static void begin_login(struct fixture *fixture)
{
    telnet_login_begin(&fixture->login, &fixture->sign_in, true, &fixture->out);
}

static int set_up_login(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    assert_non_null(fixture);
    bytes_init(&fixture->typed, 4096);
    bytes_init(&fixture->out, 4096);
    begin_login(fixture);
    bytes_drop_first(&fixture->out, fixture->out.len);
    *state = fixture;
    return 0;
}

static int tear_down_login(void **state)
{
    struct fixture *fixture = *state;
    bytes_clear(&fixture->typed);
    bytes_clear(&fixture->out);
    free(fixture);
    return 0;
}

static void type_keys(struct fixture *fixture, const char *keys)
{
    assert_true(bytes_add(&fixture->typed, keys, strlen(keys)));
    telnet_login_handle(&fixture->login, &fixture->typed, 0, &fixture->out);
}

static void the_house_shows_its_name_and_asks_for_the_persons_name(void **state)
{
    struct fixture *fixture = *state;
    memcpy(fixture->sign_in.house, "The Bell", sizeof("The Bell"));
    begin_login(fixture);
    expect_bytes(&fixture->out, "Welcome to The Bell.\r\n"
                                "Your name (\"guest\" to look around, \"new\" for an account): ");
}

static void a_house_without_guests_does_not_offer_to_enter_as_a_guest(void **state)
{
    struct fixture *fixture = *state;
    fixture->sign_in.takes_no_guests = true;
    begin_login(fixture);
    expect_bytes(&fixture->out, "Welcome to Trickhouse.\r\nYour name (\"new\" for an account): ");
}

static void a_name_is_shown_and_edited_and_a_password_is_not_shown(void **state)
{
    struct fixture *fixture = *state;
    type_keys(fixture, "bo\x7f\x62\bx\x15\x7f"
                       "ada\r");
    expect_bytes(&fixture->out, "bo\b \bb\b \bx\b \b\b \bada\r\nPassword: ");
    assert_string_equal(fixture->login.name, "ada");
    type_keys(fixture, "s\xc3\xa9\x7f"
                       "ecret");
    expect_bytes(&fixture->out, "");
    assert_memory_equal(fixture->login.line, "secret", 6);
    assert_int_equal(fixture->login.len, 6);
}

static void a_client_with_local_echo_sends_whole_lines_and_gets_no_echo(void **state)
{
    struct fixture *fixture = *state;
    telnet_login_begin(&fixture->login, &fixture->sign_in, false, &fixture->out);
    bytes_drop_first(&fixture->out, fixture->out.len);
    type_keys(fixture, "ada\r");
    expect_bytes(&fixture->out, "Password:\r\n");
    assert_string_equal(fixture->login.name, "ada");
}

static void somebody_banned_is_offered_only_an_appeal(void **state)
{
    struct fixture *fixture = *state;
    fixture->sign_in.is_banned = true;
    type_keys(fixture, "appeal \xc3\xa9t\x7f\x7fx");
    expect_bytes(&fixture->out, "appeal \xc3\xa9t\b \b\b \bx");
    bytes_drop_first(&fixture->out, fixture->out.len);
    type_keys(fixture, "\x15");
    assert_int_equal(fixture->login.len, 0);
    bytes_drop_first(&fixture->out, fixture->out.len);
    type_keys(fixture, "\r");
    expect_bytes(&fixture->out, "\r\nType appeal and your reason: ");
    bytes_drop_first(&fixture->out, fixture->out.len);
    type_keys(fixture, "guest");
    expect_bytes(&fixture->out, "guest"); /* shown, since it is no password */
}

static void the_enter_key_alone_asks_for_the_name_again(void **state)
{
    struct fixture *fixture = *state;
    type_keys(fixture, "\r");
    expect_bytes(&fixture->out,
                 "\r\nYour name (\"guest\" to look around, \"new\" for an account): ");
    type_keys(fixture, "ada\n\n");
    assert_false(fixture->login.is_at_password);
    assert_int_equal(fixture->sign_in.wrong_tries, 0);
}

static void a_character_not_allowed_in_names_is_refused_with_a_bell(void **state)
{
    struct fixture *fixture = *state;
    type_keys(fixture, "a\x1b[\xc3\xa9\x01z");
    expect_bytes(&fixture->out, "a\a\az");
    assert_memory_equal(fixture->login.line, "az", 2);
}

/* In line mode a client sends such bytes too, if they were typed into its line. */
static void keys_without_a_meaning_and_answers_of_the_terminal_type_nothing(void **state)
{
    static const char *const bytes[] = {
        "\x1b[D",   "\x1bOq\x7f",       "\x1b]11;rgb:1e/1e/2e\x1b\\",
        "\x1b\x62", "\x1bP1$r0m\x1b\\", "\x1b[<0;5;9M"};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < ARRAY_LEN(bytes); i++) {
        type_keys(fixture, bytes[i]);
        assert_int_equal(fixture->login.len, 0);
    }
    type_keys(fixture, "ada\r");
    assert_string_equal(fixture->login.name, "ada");
    type_keys(fixture, "p\x1b]2;x\a\x1b[Cw\xc3\xa4\x1b[200~d\x1b[201~");
    assert_memory_equal(fixture->login.line,
                        "pw\xc3\xa4"
                        "d",
                        6);
}

static void a_typed_line_cannot_grow_beyond_its_buffer(void **state)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < TELNET_LOGIN_LINE_MAX; i++) {
        type_keys(fixture, "x");
    }
    bytes_drop_first(&fixture->out, fixture->out.len);
    type_keys(fixture, "x");
    expect_bytes(&fixture->out, "\a");
    type_keys(fixture, "\r");
    assert_int_equal(strlen(fixture->login.name), TELNET_LOGIN_LINE_MAX);
}

static void control_c_disconnects_and_discards_the_rest_of_the_input(void **state)
{
    struct fixture *fixture = *state;
    type_keys(fixture, "ad\x03more");
    assert_true(fixture->login.has_left);
    expect_bytes(&fixture->typed, "more");
}

static void the_login_reads_nothing_after_somebody_has_signed_in(void **state)
{
    struct fixture *fixture = *state;
    fixture->sign_in.state = LOGIN_SIGNED_IN;
    type_keys(fixture, "keys for the screen");
    expect_bytes(&fixture->typed, "keys for the screen");
}

#define AT_THE_DOOR(test) cmocka_unit_test_setup_teardown(test, set_up_login, tear_down_login)

TEST_GROUP(telnet_login)
{
    const struct CMUnitTest tests[] = {
        AT_THE_DOOR(the_house_shows_its_name_and_asks_for_the_persons_name),
        AT_THE_DOOR(a_house_without_guests_does_not_offer_to_enter_as_a_guest),
        AT_THE_DOOR(a_name_is_shown_and_edited_and_a_password_is_not_shown),
        AT_THE_DOOR(a_client_with_local_echo_sends_whole_lines_and_gets_no_echo),
        AT_THE_DOOR(somebody_banned_is_offered_only_an_appeal),
        AT_THE_DOOR(the_enter_key_alone_asks_for_the_name_again),
        AT_THE_DOOR(a_character_not_allowed_in_names_is_refused_with_a_bell),
        AT_THE_DOOR(keys_without_a_meaning_and_answers_of_the_terminal_type_nothing),
        AT_THE_DOOR(a_typed_line_cannot_grow_beyond_its_buffer),
        AT_THE_DOOR(control_c_disconnects_and_discards_the_rest_of_the_input),
        AT_THE_DOOR(the_login_reads_nothing_after_somebody_has_signed_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
