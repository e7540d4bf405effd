#include "tests/e2e/guests.h"
#include "tests/e2e/house.h"
#include "tests/e2e/play.h"
#include "tests/unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Connects through the real telnet, and through plain sockets for what no client would do. */

#define NAME_QUESTION "Your name"
#define WARNING "Telnet is not encrypted"

static const char password[] = "correct horse battery";

/* Connects and reads up to the first question. Checks that the warning about telnet comes before
 * that question. */
static struct terminal *connect_by_telnet(const struct house_fixture *house)
{
    const struct connect_setup setup = {.columns = 80};
    struct terminal *person = house_connect_by_telnet(house, &setup);
    terminal_expect(person, NAME_QUESTION);
    const char *text = terminal_read_text(person);
    assert_non_null(strstr(text, WARNING));
    assert_true(strstr(text, WARNING) < strstr(text, NAME_QUESTION));
    return person;
}

static void sign_in(struct terminal *person, const char *name, const char *secret)
{
    terminal_type_line(person, name);
    terminal_expect(person, "Password:");
    terminal_type_line(person, secret);
}

/* Leaves the house, and checks that the terminal shows the text from before the screen again. */
static void leave_house(struct terminal *person)
{
    terminal_type(person, "qy");
    terminal_expect(person, "Goodbye");
    assert_int_equal(terminal_wait_for_end(person), 0);
    terminal_expect(person, WARNING);
    terminal_free(person);
}

static void a_guest_is_warned_enters_and_leaves(void **state)
{
    struct terminal *guest = connect_by_telnet(*state);
    terminal_type_line(guest, "guest");
    guests_close_offer(guest);
    terminal_expect(guest, "guest-");
    terminal_expect(guest, "Tables");
    assert_false(terminal_shows(guest, WARNING));
    leave_house(guest);
}

static void lines_that_are_pasted_are_text(void **state)
{
    struct terminal *guest = connect_by_telnet(*state);
    terminal_type_line(guest, "guest");
    guests_close_offer(guest);
    guests_assert_paste_is_text(guest);
    leave_house(guest);
}

static void the_lobby_adapts_to_the_window_size(void **state)
{
    struct terminal *guest = connect_by_telnet(*state);
    terminal_type_line(guest, "guest");
    guests_close_offer(guest);
    terminal_expect_full_screen(guest);
    terminal_resize(guest, 120, 40);
    terminal_expect_full_screen(guest);
    terminal_resize(guest, 70, 20);
    terminal_expect_full_screen(guest);
    leave_house(guest);
}

static void a_guest_plays_a_round_with_bots(void **state)
{
    struct terminal *guest = connect_by_telnet(*state);
    terminal_type_line(guest, "guest");
    guests_close_offer(guest);
    terminal_expect(guest, "#lobby");
    terminal_type(guest, "n");
    terminal_expect(guest, "A new table");
    terminal_type(guest, "\r");
    terminal_expect(guest, "about to begin");
    terminal_type(guest, "b");
    terminal_expect(guest, "Waiting for 2 more players");
    terminal_type(guest, "b");
    terminal_expect(guest, "Waiting for 1 more player");
    terminal_type(guest, "b");
    terminal_expect(guest, "Enter begins the game");
    terminal_type(guest, "s");
    terminal_expect(guest, "round 1 of");
    struct terminal *const players[] = {guest, NULL};
    play_until(players, "round 2 of", 60000);
    terminal_free(guest);
}

/* Chooses a password, as a newcomer who has just chosen a name. */
static void choose_password(struct terminal *person, const char *header)
{
    terminal_expect(person, "Choose a password:");
    terminal_type_line(person, password);
    terminal_expect(person, "once more:");
    assert_false(terminal_shows(person, password));
    terminal_type_line(person, password);
    terminal_expect(person, "Welcome, ");
    terminal_type(person, "l");
    terminal_expect(person, header);
}

static void a_newcomer_makes_an_account_and_comes_back_with_its_password(void **state)
{
    struct terminal *bob = connect_by_telnet(*state);
    terminal_type_line(bob, "new");
    terminal_expect(bob, "Choose a name:");
    terminal_type(bob, "bob");
    terminal_expect(bob, "The name is free");
    terminal_type(bob, "\r");
    choose_password(bob, " · bob");
    leave_house(bob);

    bob = connect_by_telnet(*state);
    sign_in(bob, "bob", password);
    terminal_expect(bob, " · bob");
    terminal_type(bob, "/password\r");
    terminal_expect(bob, "change it over ssh");
    terminal_type(bob, "q");
    terminal_expect(bob, "#lobby");
    leave_house(bob);
}

static void a_player_who_loses_a_telnet_connection_returns_to_the_table(void **state)
{
    struct terminal *bob = connect_by_telnet(*state);
    sign_in(bob, "bob", password);
    terminal_expect(bob, " · bob");
    terminal_type(bob, "/new oh-hell 3\r");
    terminal_expect(bob, "A new table");
    terminal_type(bob, "\r");
    terminal_expect(bob, "about to begin");
    terminal_type(bob, "b");
    terminal_expect(bob, "Waiting for 1 more player");
    terminal_type(bob, "b");
    terminal_expect(bob, "Enter begins the game");
    terminal_type(bob, "\r");
    terminal_expect(bob, "your turn");
    terminal_free(bob);
    bob = connect_by_telnet(*state);
    sign_in(bob, "bob", password);
    terminal_expect(bob, "round 1 of");
    terminal_expect(bob, "your turn");
    terminal_free(bob);
}

static void an_account_made_over_ssh_can_use_telnet_only_once_its_owner_allows_telnet(void **state)
{
    const struct connect_setup setup = {.user = "ada"};
    struct terminal *ada = house_connect_by_ssh(*state, &setup);
    terminal_expect(ada, "Password:");
    terminal_type(ada, "\r");
    terminal_expect(ada, "Choose a name: ada");
    terminal_type(ada, "\r");
    choose_password(ada, " · ada");

    struct terminal *again = connect_by_telnet(*state);
    sign_in(again, "ada", password);
    terminal_expect(again, "This account is for ssh only.");
    terminal_type(ada, "o");
    terminal_expect(ada, "not allowed: your account uses ssh only");
    terminal_type(ada, "jjjjjj\r");
    terminal_expect(ada, "Your account can be used by telnet too");
    sign_in(again, "ada", password);
    terminal_expect(again, " · ada");
    leave_house(again);
    terminal_free(ada);
}

static void six_wrong_passwords_end_the_connection(void **state)
{
    struct terminal *other = connect_by_telnet(*state);
    for (int i = 0; i < 6; i++) {
        char name[16];
        snprintf(name, sizeof(name), "nobody%d", i);
        sign_in(other, name, "not the password");
        terminal_expect(other, i < 5 ? "That was not right." : "Signing in has failed.");
        assert_false(terminal_shows(other, "not the password"));
    }
    terminal_wait_for_end(other);
    terminal_free(other);
}

static void control_c_at_a_question_disconnects(void **state)
{
    struct terminal *person = connect_by_telnet(*state);
    terminal_type(person, "\x03");
    terminal_expect(person, "Goodbye.");
    terminal_wait_for_end(person);
    terminal_free(person);
}

/* Reads until the house has closed the connection. Returns whether the house sent these words. */
static bool house_closes_after_words(int client, const char *words)
{
    char said[4096];
    size_t len = 0;
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    for (ssize_t got = 1; got > 0;) {
        got = terminal_read_before(client, said + len, sizeof(said) - len, deadline);
        if (got < 0) {
            fail_msg("the house did not close");
        }
        len += (size_t)got;
    }
    close(client);
    return memmem(said, len, words, strlen(words)) != NULL;
}

static void a_client_that_negotiates_without_end_is_disconnected(void **state)
{
    int client = house_connect_socket(((struct house_fixture *)*state)->telnet_port, 1);
    for (int i = 0; i < 65; i++) {
        assert_int_equal(write(client, "\377\375\042", 3), 3);
    }
    assert_true(house_closes_after_words(client, "negotiates without end"));
}

static void a_client_that_disconnects_at_once_harms_nobody(void **state)
{
    for (int i = 0; i < 4; i++) {
        close(house_connect_socket(((struct house_fixture *)*state)->telnet_port, 1));
    }
    a_guest_is_warned_enters_and_leaves(state);
}

TEST_GROUP(telnet)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guest_is_warned_enters_and_leaves),
        cmocka_unit_test(lines_that_are_pasted_are_text),
        cmocka_unit_test(the_lobby_adapts_to_the_window_size),
        cmocka_unit_test(a_guest_plays_a_round_with_bots),
        cmocka_unit_test(a_newcomer_makes_an_account_and_comes_back_with_its_password),
        cmocka_unit_test(a_player_who_loses_a_telnet_connection_returns_to_the_table),
        cmocka_unit_test(an_account_made_over_ssh_can_use_telnet_only_once_its_owner_allows_telnet),
        cmocka_unit_test(six_wrong_passwords_end_the_connection),
        cmocka_unit_test(control_c_at_a_question_disconnects),
        cmocka_unit_test(a_client_that_negotiates_without_end_is_disconnected),
        cmocka_unit_test(a_client_that_disconnects_at_once_harms_nobody),
    };
    return cmocka_run_group_tests_name("telnet", tests, house_set_up, house_tear_down);
}
