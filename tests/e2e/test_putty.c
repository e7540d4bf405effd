#include "tests/e2e/client.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Connects through plink, which is PuTTY without its window: the same SSH and the same telnet. */

/* Reads the house's host key in the form that PuTTY expects. */
static void read_fingerprint(const struct house_fixture *house, char *out, size_t size)
{
    char command[160], line[256] = "";
    snprintf(command, sizeof(command), "ssh-keygen -lf %s/data/ssh_host_ed25519_key",
             house->folder);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    assert_non_null(fgets(line, sizeof(line), output));
    assert_int_equal(pclose(output), 0);
    const char *begin = strstr(line, "SHA256:");
    assert_non_null(begin);
    snprintf(out, size, "%.*s", (int)strcspn(begin, " "), begin);
}

/* Connects with plink. `key` was made by make_key; NULL: no key. */
static struct terminal *connect_as(const struct house_fixture *house, const char *user,
                                   const char *key)
{
    char port[16], target[64], path[96], fingerprint[128];
    snprintf(port, sizeof(port), "%d", house->port);
    snprintf(target, sizeof(target), "%s@127.0.0.1", user);
    snprintf(path, sizeof(path), "%s/%s", house->folder, key == NULL ? "" : key);
    read_fingerprint(house, fingerprint, sizeof(fingerprint));
    const char *argv[] = {"plink",         "-ssh", "-P", port, "-hostkey", fingerprint,
                          "-no-antispoof", target, "-i", path, NULL};
    if (key == NULL) {
        argv[8] = NULL;
    }
    return client_start(house, argv);
}

static struct terminal *connect_by_telnet(const struct house_fixture *house)
{
    char port[16];
    snprintf(port, sizeof(port), "%d", house->telnet_port);
    const char *const argv[] = {"plink", "-telnet", "-P", port, "127.0.0.1", NULL};
    return client_start(house, argv);
}

static void make_key(const struct house_fixture *house, const char *type, const char *key)
{
    char command[256];
    snprintf(command, sizeof(command),
             "HOME=%s puttygen -q -t %s -o %s/%s --new-passphrase /dev/null", house->folder, type,
             house->folder, key);
    assert_int_equal(system(command), 0);
}

static void a_newcomer_with_an_ed25519_key_plays_a_trick_and_comes_back(void **state)
{
    make_key(*state, "ed25519", "ada");
    client_assert_key_works(*state, connect_as, "ada");
}

static void a_newcomer_with_an_rsa_key_plays_a_trick_and_comes_back(void **state)
{
    make_key(*state, "rsa", "chen");
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

static void a_guest_plays_a_trick_by_telnet(void **state)
{
    struct terminal *guest = connect_by_telnet(*state);
    terminal_expect(guest, "Telnet is not encrypted");
    terminal_expect(guest, "Your name");
    terminal_type(guest, "guest\r");
    client_play_trick(guest);
    terminal_resize(guest, 120, 40);
    terminal_expect_full_screen(guest);
    client_resign(guest);
}

static void a_newcomer_by_telnet_comes_back_with_a_password(void **state)
{
    struct terminal *mira = connect_by_telnet(*state);
    client_sign_up_by_telnet(mira, "mira");
    client_leave(mira);
    mira = connect_by_telnet(*state);
    client_sign_in_by_telnet(mira, "mira");
    client_play_trick(mira);
    client_resign(mira);
}

TEST_GROUP(putty)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_newcomer_with_an_ed25519_key_plays_a_trick_and_comes_back),
        cmocka_unit_test(a_newcomer_with_an_rsa_key_plays_a_trick_and_comes_back),
        cmocka_unit_test(a_newcomer_without_a_key_comes_back_with_a_password_and_plays_a_trick),
        cmocka_unit_test(the_lobby_adapts_to_the_window_size),
        cmocka_unit_test(a_guest_plays_a_trick_by_telnet),
        cmocka_unit_test(a_newcomer_by_telnet_comes_back_with_a_password),
    };
    return cmocka_run_group_tests_name("putty", tests, house_set_up, house_tear_down);
}
