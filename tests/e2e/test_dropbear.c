#include "tests/e2e/outside.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Through dropbear's client, which small routers and phones have instead of OpenSSH's. */

/* `key`: made by make_key; NULL: none. */
static struct terminal *come(const struct house_fixture *house, const char *user, const char *key)
{
    char port[16], target[64], path[96];
    snprintf(port, sizeof(port), "%d", house->port);
    snprintf(target, sizeof(target), "%s@127.0.0.1", user);
    snprintf(path, sizeof(path), "%s/%s", house->folder, key == NULL ? "" : key);
    const char *const with_key[] = {"dbclient", "-y", "-p", port, "-i", path, target, NULL};
    const char *const without[] = {"dbclient", "-y", "-p", port, target, NULL};
    return outside_open(house, key == NULL ? without : with_key);
}

static void make_key(const struct house_fixture *house, const char *type, const char *key)
{
    char command[192];
    snprintf(command, sizeof(command), "dropbearkey -t %s -f %s/%s >/dev/null 2>&1", type,
             house->folder, key);
    assert_int_equal(system(command), 0);
}

/* Signs up with a key of the type, plays, and comes back with it. */
static void a_key_opens_the_house(const struct house_fixture *house, const char *type,
                                  const char *name)
{
    make_key(house, type, name);
    struct terminal *person = come(house, name, name);
    outside_sign_up(person, name);
    outside_play_trick(person);
    outside_give_up(person);
    person = come(house, "root", name);
    terminal_expect(person, name);
    outside_leave(person);
}

static void a_newcomer_with_an_ed25519_key_plays_a_trick_and_comes_back(void **state)
{
    a_key_opens_the_house(*state, "ed25519", "ada");
}

static void a_newcomer_with_an_ecdsa_key_plays_a_trick_and_comes_back(void **state)
{
    a_key_opens_the_house(*state, "ecdsa", "chen");
}

static void a_newcomer_without_a_key_comes_back_with_a_password(void **state)
{
    struct terminal *bob = come(*state, "bob", NULL);
    outside_sign_up_with_password(bob, "bob");
    outside_leave(bob);

    bob = come(*state, "bob", NULL);
    terminal_expect(bob, "Password:");
    terminal_type(bob, outside_password);
    terminal_type(bob, "\r");
    outside_play_trick(bob);
    outside_give_up(bob);
}

static void the_words_before_the_password_stand_on_lines_of_their_own(void **state)
{
    struct terminal *person = come(*state, "dora", NULL);
    terminal_expect(person, "\nPassword:");
    assert_true(terminal_shows(person, "\nWelcome to Trickhouse.\nType your password."));
    terminal_type(person, "not the password\r");
    terminal_expect(person, "\nThat was not right.\nType your password.");
    terminal_free(person);
}

static void a_guest_who_signs_in_before_the_key_exchange_has_ended_plays_a_trick(void **state)
{
    struct terminal *guest = come(*state, "guest", NULL);
    outside_play_trick(guest);
    outside_give_up(guest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_newcomer_with_an_ed25519_key_plays_a_trick_and_comes_back),
        cmocka_unit_test(a_newcomer_with_an_ecdsa_key_plays_a_trick_and_comes_back),
        cmocka_unit_test(a_newcomer_without_a_key_comes_back_with_a_password),
        cmocka_unit_test(the_words_before_the_password_stand_on_lines_of_their_own),
        cmocka_unit_test(a_guest_who_signs_in_before_the_key_exchange_has_ended_plays_a_trick),
    };
    return cmocka_run_group_tests_name("dropbear", tests, house_set_up, house_tear_down);
}
