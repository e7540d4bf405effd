#include "tests/e2e/outside.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Through the client that comes with libtelnet, the library of many MUD clients. */

static struct terminal *come(const struct house_fixture *house)
{
    char port[16];
    snprintf(port, sizeof(port), "%d", house->telnet_port);
    /* It keeps what it shows until a line ends, which no screen does. */
    const char *const argv[] = {"stdbuf", "-o0", "telnet-client", "127.0.0.1", port, NULL};
    return outside_open(house, argv);
}

static void a_guest_plays_a_trick(void **state)
{
    struct terminal *guest = come(*state);
    terminal_expect(guest, "Telnet is not encrypted");
    terminal_expect(guest, "Your name");
    terminal_type(guest, "guest\r");
    outside_play_trick(guest);
    outside_give_up(guest);
}

static void a_newcomer_comes_back_with_a_password(void **state)
{
    struct terminal *ada = come(*state);
    outside_sign_up_by_telnet(ada, "ada");
    outside_leave(ada);
    ada = come(*state);
    outside_sign_in_by_telnet(ada, "ada");
    outside_play_trick(ada);
    outside_give_up(ada);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guest_plays_a_trick),
        cmocka_unit_test(a_newcomer_comes_back_with_a_password),
    };
    return cmocka_run_group_tests_name("libtelnet", tests, house_set_up, house_tear_down);
}
