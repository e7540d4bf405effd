#include "tests/e2e/client.h"
#include "tests/e2e/command.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

/* Connects through dropbear's client, which small routers and phones use instead of OpenSSH's. */

/* Connects with dropbear's client. `key` was made by make_key; NULL: no key. */
static struct terminal *connect_as(const struct house_fixture *house, const char *user,
                                   const char *key)
{
    char port[16], target[64], path[96];
    snprintf(port, sizeof(port), "%d", house->port);
    snprintf(target, sizeof(target), "%s@127.0.0.1", user);
    snprintf(path, sizeof(path), "%s/%s", house->folder, key == NULL ? "" : key);
    const char *const with_key[] = {"dbclient", "-y", "-p", port, "-i", path, target, NULL};
    const char *const without[] = {"dbclient", "-y", "-p", port, target, NULL};
    return client_start(house, key == NULL ? without : with_key);
}

static void make_key(const struct house_fixture *house, const char *type, const char *key)
{
    char command[192];
    snprintf(command, sizeof(command), "dropbearkey -t %s -f %s/%s >/dev/null 2>&1", type,
             house->folder, key);
    assert_int_equal(system(command), 0);
}

static void a_newcomer_with_an_ed25519_key_plays_a_trick_and_comes_back(void **state)
{
    make_key(*state, "ed25519", "ada");
    client_assert_key_works(*state, connect_as, "ada");
}

static void a_newcomer_with_an_ecdsa_key_plays_a_trick_and_comes_back(void **state)
{
    make_key(*state, "ecdsa", "chen");
    client_assert_key_works(*state, connect_as, "chen");
}

static void a_newcomer_without_a_key_comes_back_with_a_password_and_plays_a_trick(void **state)
{
    client_assert_password_works(*state, connect_as, "bob");
}

static void the_lobby_adapts_to_the_window_size(void **state)
{
    client_assert_resizing_works(*state, connect_as);
}

static void the_text_before_the_password_prompt_is_on_lines_of_its_own(void **state)
{
    struct terminal *person = connect_as(*state, "dora", NULL);
    terminal_expect(person, "\nPassword:");
    assert_true(terminal_shows(person, "\nWelcome to Trickhouse.\nType your password."));
    terminal_type(person, "not the password\r");
    terminal_expect(person, "\nThat was not right.\nType your password.");
    terminal_free(person);
}

static void a_guest_who_signs_in_before_the_key_exchange_has_ended_plays_a_trick(void **state)
{
    struct terminal *guest = connect_as(*state, "guest", NULL);
    client_play_trick(guest);
    client_resign(guest);
}

/* The client does not ask for a reply, so it never learns that the subsystem was refused. */
static void a_subsystem_is_refused_with_a_message(void **state)
{
    const struct house_fixture *house = *state;
    char port[16];
    struct command_result result;
    snprintf(port, sizeof(port), "%d", house->port);
    const char *const argv[] = {"dbclient",        "-y",   "-p", port, "-s",
                                "guest@127.0.0.1", "sftp", NULL};
    command_run(house, argv, &result);
    command_assert_result(&result, 1, "Trickhouse has no such subsystem");
}

TEST_GROUP(dropbear)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_newcomer_with_an_ed25519_key_plays_a_trick_and_comes_back),
        cmocka_unit_test(a_newcomer_with_an_ecdsa_key_plays_a_trick_and_comes_back),
        cmocka_unit_test(a_newcomer_without_a_key_comes_back_with_a_password_and_plays_a_trick),
        cmocka_unit_test(the_lobby_adapts_to_the_window_size),
        cmocka_unit_test(the_text_before_the_password_prompt_is_on_lines_of_its_own),
        cmocka_unit_test(a_subsystem_is_refused_with_a_message),
        cmocka_unit_test(a_guest_who_signs_in_before_the_key_exchange_has_ended_plays_a_trick),
    };
    return cmocka_run_group_tests_name("dropbear", tests, house_set_up, house_tear_down);
}
