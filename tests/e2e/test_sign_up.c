#include "tests/e2e/client.h"
#include "tests/e2e/guests.h"
#include "tests/unit.h"

#include <string.h>

/* First visits and later visits through the real ssh. */

static const char password[] = "correct horse battery";

static void a_newcomer_with_a_key_needs_only_a_name(void **state)
{
    const struct connect_setup first = {.user = "root", .key = "ada-key"};
    struct terminal *ada = house_connect_by_ssh(*state, &first);
    terminal_expect(ada, "Choose a name:");
    terminal_type(ada, "ada");
    terminal_expect(ada, "The name is free");
    terminal_type(ada, "\r");
    terminal_expect(ada, "Password (Enter alone: none):");
    terminal_type(ada, "\r");
    terminal_expect(ada, "Welcome, ada.");
    terminal_type(ada, "l");
    terminal_expect(ada, "You have the house to yourself.");
    client_leave(ada);
}

static void a_key_signs_in_under_any_ssh_login_name(void **state)
{
    const struct connect_setup again = {.user = "root", .key = "ada-key"};
    struct terminal *ada = house_connect_by_ssh(*state, &again);
    terminal_expect(ada, "tables · ada");
    client_leave(ada);
    const struct connect_setup by_name = {.user = "ada", .key = "ada-key"};
    ada = house_connect_by_ssh(*state, &by_name);
    terminal_expect(ada, "tables · ada");
    client_leave(ada);
}

static void a_newcomer_without_a_key_chooses_a_password(void **state)
{
    const struct connect_setup setup = {.user = "bob"};
    struct terminal *bob = house_connect_by_ssh(*state, &setup);
    terminal_expect(bob, "Password:");
    terminal_type(bob, "\r");
    terminal_expect(bob, "Choose a name: bob");
    terminal_type(bob, "\r");
    terminal_expect(bob, "Choose a password:");
    terminal_type(bob, "short\r");
    terminal_expect(bob, "A password has 10 to 128 characters");
    terminal_type_line(bob, password);
    terminal_expect(bob, "once more:");
    assert_false(terminal_shows(bob, password));
    terminal_type_line(bob, password);
    terminal_expect(bob, "Welcome, bob.");
    terminal_type(bob, "l");
    terminal_expect(bob, "tables · bob");
    client_leave(bob);
}

static void the_right_password_signs_in_and_a_wrong_one_does_not(void **state)
{
    const struct connect_setup setup = {.user = "bob"};
    struct terminal *bob = house_connect_by_ssh(*state, &setup);
    terminal_expect(bob, "Password:");
    terminal_type_line(bob, password);
    terminal_expect(bob, "tables · bob");
    client_leave(bob);

    bob = house_connect_by_ssh(*state, &setup);
    terminal_expect(bob, "Password:");
    terminal_type(bob, "not the password\r");
    terminal_expect(bob, "Password:\n(bob@"); /* the password is asked for again */
    assert_false(terminal_shows(bob, "tables"));
    terminal_free(bob);
}

/* Copies the text that follows these words on the screen. */
static void read_text_after(struct terminal *person, const char *words, char *out, size_t len)
{
    terminal_expect(person, words);
    const char *at = strstr(terminal_read_text(person), words);
    assert_non_null(at);
    memcpy(out, at + strlen(words), len);
    out[len] = '\0';
}

static void a_code_adds_the_key_of_a_second_machine_to_the_account(void **state)
{
    char code[16];
    const struct connect_setup first = {.user = "ada", .key = "ada-key"};
    const struct connect_setup second = {.user = "new", .key = "second-key"};
    struct terminal *ada = house_connect_by_ssh(*state, &first);
    terminal_expect(ada, "tables · ada");
    terminal_type(ada, "/key add\r");
    read_text_after(ada, "Your code is ", code, 9);
    struct terminal *other = house_connect_by_ssh(*state, &second);
    terminal_expect(other, "Choose a name:");
    terminal_type(other, code);
    terminal_expect(other, "A code: Enter uses it.");
    terminal_type(other, "\r");
    terminal_expect(other, "tables · ada");
    client_leave(other);
    client_leave(ada);
    other = house_connect_by_ssh(*state, &second);
    terminal_expect(other, "tables · ada");
    client_leave(other);
}

static void an_account_with_a_password_gets_a_key_only_after_the_password_is_typed(void **state)
{
    const struct connect_setup setup = {.user = "bob"};
    struct terminal *bob = house_connect_by_ssh(*state, &setup);
    terminal_expect(bob, "Password:");
    terminal_type_line(bob, password);
    terminal_expect(bob, "tables · bob");
    terminal_type(bob, "/key add\r");
    terminal_expect(bob, "Confirm it is you");
    terminal_type_line(bob, password);
    terminal_expect(bob, "Your code is ");
    client_leave(bob);
}

static void somebody_elses_key_does_not_sign_in_to_an_account(void **state)
{
    const struct connect_setup setup = {.user = "ada", .key = "other-key"};
    struct terminal *other = house_connect_by_ssh(*state, &setup);
    terminal_expect(other, "Password:");
    terminal_free(other);
}

static void a_taken_name_is_reported_while_it_is_typed(void **state)
{
    const struct connect_setup setup = {.user = "root", .key = "other-key"};
    struct terminal *other = house_connect_by_ssh(*state, &setup);
    terminal_expect(other, "Choose a name:");
    terminal_type(other, "ada");
    terminal_expect(other, "Somebody has that name");
    terminal_type(other, "\x15"
                         "9Ada!");
    terminal_expect(other, "A name begins with a letter");
    terminal_free(other);
}

static void a_guest_needs_neither_key_nor_password(void **state)
{
    const struct connect_setup setup = {.user = "guest"};
    struct terminal *guest = house_connect_by_ssh(*state, &setup);
    guests_close_offer(guest);
    terminal_expect(guest, "guest-");
    client_leave(guest);
}

static void somebody_on_an_unknown_terminal_is_told_that_a_common_one_is_assumed(void **state)
{
    const struct connect_setup setup = {.user = "guest", .term = "no-such-terminal"};
    struct terminal *guest = house_connect_by_ssh(*state, &setup);
    terminal_expect(guest, "no-such-terminal");
    guests_close_offer(guest);
    terminal_expect(guest, "Tables");
    client_leave(guest);
}

static void an_unknown_ssh_command_fails_with_one_line(void **state)
{
    const struct connect_setup setup = {.user = "guest", .command = "rm -rf /"};
    struct terminal *guest = house_connect_by_ssh(*state, &setup);
    assert_int_equal(terminal_wait_for_end(guest), 1);
    assert_true(strlen(terminal_read_text(guest)) >
                24); /* an empty screen would be only 24 newlines */
    terminal_free(guest);
}

static void the_lobby_adapts_to_the_window_size(void **state)
{
    const struct connect_setup setup = {.user = "guest", .columns = 80, .rows = 24};
    struct terminal *guest = house_connect_by_ssh(*state, &setup);
    guests_close_offer(guest);
    terminal_expect(guest, "lobby      │\n");
    terminal_print(guest, "lobby");
    terminal_resize(guest, 120, 40);
    terminal_expect_full_screen(guest);
    terminal_print(guest, "lobby");
    terminal_resize(guest, 70, 20);
    terminal_expect_full_screen(guest);
    terminal_resize(guest, 30, 8);
    terminal_expect(guest, "Window too small");
    terminal_resize(guest, 80, 24);
    terminal_expect_full_screen(guest);
    client_leave(guest);
}

TEST_GROUP(sign_up)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_newcomer_with_a_key_needs_only_a_name),
        cmocka_unit_test(a_key_signs_in_under_any_ssh_login_name),
        cmocka_unit_test(a_newcomer_without_a_key_chooses_a_password),
        cmocka_unit_test(an_account_with_a_password_gets_a_key_only_after_the_password_is_typed),
        cmocka_unit_test(the_right_password_signs_in_and_a_wrong_one_does_not),
        cmocka_unit_test(a_code_adds_the_key_of_a_second_machine_to_the_account),
        cmocka_unit_test(somebody_elses_key_does_not_sign_in_to_an_account),
        cmocka_unit_test(a_taken_name_is_reported_while_it_is_typed),
        cmocka_unit_test(a_guest_needs_neither_key_nor_password),
        cmocka_unit_test(somebody_on_an_unknown_terminal_is_told_that_a_common_one_is_assumed),
        cmocka_unit_test(an_unknown_ssh_command_fails_with_one_line),
        cmocka_unit_test(the_lobby_adapts_to_the_window_size),
    };
    return cmocka_run_group_tests_name("sign-up", tests, house_set_up, house_tear_down);
}
