#include "tests/e2e/client.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Connects through the client of libtelnet, the library of many MUD clients. The client refuses the
 * option that lets the house send text at any time (SGA) and shows output only when a line ends, so
 * the house uses plain mode.
 */

static struct terminal *connect_client(const struct house_fixture *house)
{
    char port[16];
    snprintf(port, sizeof(port), "%d", house->telnet_port);
    const char *const argv[] = {"telnet-client", "127.0.0.1", port, NULL};
    struct terminal *person = client_start(house, argv);
    terminal_expect(person, "Telnet is not encrypted");
    terminal_expect(person, "Your name");
    return person;
}

/* Waits for the words and types the first of the numbers that follow them. */
static void type_first_number_after(struct terminal *person, const char *words)
{
    char number[16];
    terminal_expect(person, words);
    const char *at = strstr(terminal_read_text(person), words);
    assert_non_null(at);
    snprintf(number, sizeof(number), "%ld", strtol(at + strlen(words), NULL, 10));
    terminal_type_line(person, number);
}

static void play_trick_and_leave(struct terminal *person)
{
    terminal_expect(person, "The lobby of ");
    terminal_type_line(person, "/quick oh-hell");
    type_first_number_after(person, "Type a number from ");
    type_first_number_after(person, "You can choose ");
    terminal_expect(person, "the trick: ");
    terminal_type_line(person, "/leave");
    terminal_expect(person, "In the lobby your seat is kept");
    terminal_type_line(person, "l");
    terminal_expect(person, "The lobby of ");
    terminal_type_line(person, "/quit");
    terminal_expect(person, "Quit? (y or n)");
    terminal_type_line(person, "y");
    terminal_expect(person, "is open whenever you are.");
    assert_int_equal(terminal_wait_for_end(person), 0);
    terminal_free(person);
}

static void a_guest_plays_a_trick(void **state)
{
    struct terminal *guest = connect_client(*state);
    terminal_type_line(guest, "guest");
    play_trick_and_leave(guest);
}

static void a_newcomer_comes_back_with_a_password_that_is_not_shown(void **state)
{
    struct terminal *ada = connect_client(*state);
    terminal_type_line(ada, "new");
    terminal_expect(ada, "Choose a name:");
    terminal_type_line(ada, "ada");
    terminal_expect(ada, "Choose a password:");
    terminal_type_line(ada, client_password);
    terminal_expect(ada, "once more:");
    terminal_type_line(ada, client_password);
    terminal_expect(ada, "Welcome, ada");
    assert_false(terminal_shows(ada, client_password));
    terminal_free(ada);

    ada = connect_client(*state);
    terminal_type_line(ada, "ada");
    terminal_expect(ada, "Password:");
    terminal_type_line(ada, client_password);
    terminal_expect(ada, "You are ada");
    assert_false(terminal_shows(ada, client_password));
    play_trick_and_leave(ada);
}

TEST_GROUP(libtelnet)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guest_plays_a_trick),
        cmocka_unit_test(a_newcomer_comes_back_with_a_password_that_is_not_shown),
    };
    return cmocka_run_group_tests_name("libtelnet", tests, house_set_up, house_tear_down);
}
