#include "tests/e2e/scripted.h"

#include "tests/e2e/client.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>

static char program[512]; /* path of the Python script */

static struct terminal *connect_as(const struct house_fixture *house, const char *user,
                                   const char *key)
{
    char port[16], path[96];
    snprintf(port, sizeof(port), "%d", house->port);
    snprintf(path, sizeof(path), "%s/%s", house->folder, key == NULL ? "" : key);
    const char *const with_key[] = {program, port, user, path, NULL};
    const char *const without[] = {program, port, user, NULL};
    return client_start(house, key == NULL ? without : with_key);
}

static int open_house(void **state)
{
    house_set_up(state);
    house_make_key(*state, "ada");
    return 0;
}

static void a_newcomer_with_a_key_plays_a_trick_and_comes_back(void **state)
{
    client_assert_key_works(*state, connect_as, "ada");
}

static void a_newcomer_without_a_key_comes_back_with_a_password_and_plays_a_trick(void **state)
{
    client_assert_password_works(*state, connect_as, "bob");
}

static void the_lobby_adapts_to_the_window_size(void **state)
{
    client_assert_resizing_works(*state, connect_as);
}

int scripted_run_tests(const char *library)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_newcomer_with_a_key_plays_a_trick_and_comes_back),
        cmocka_unit_test(a_newcomer_without_a_key_comes_back_with_a_password_and_plays_a_trick),
        cmocka_unit_test(the_lobby_adapts_to_the_window_size),
    };
    const char *folder = getenv("SOURCE_DIR");
    if (folder == NULL) {
        fprintf(stderr, "SOURCE_DIR has to name the source\n");
        return 1;
    }
    snprintf(program, sizeof(program), "%s/tests/e2e/%s_client.py", folder, library);
    return cmocka_run_group_tests_name(library, tests, open_house, house_tear_down);
}
