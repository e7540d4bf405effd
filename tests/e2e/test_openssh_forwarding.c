#include "tests/e2e/client.h"
#include "tests/e2e/command.h"
#include "tests/e2e/guests.h"
#include "tests/e2e/openssh.h"

#include "games/macros.h"
#include "tests/unit.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * OpenSSH's features for sending something other than a game through a connection: the house
 * forwards nothing, and a connection has only one session. Meanwhile somebody plays.
 */

/* After a while, the house tells a connection without a session that it needs one. */
static const char settings[] = "[door]\nstart_s = 12\n[play]\nbot_delay_ms = 0\n";

#define REFUSED "open failed: administratively prohibited"

struct fixture {
    struct house_fixture *house;
    struct terminal *idle;   /* ssh -N, running from the first to the last test */
    struct terminal *player; /* a player at a table during the tests */
    char to_port[96];        /* the local ends of forwardings to a port of the house's machine */
    char to_socket[96];      /* the local end of a forwarding to a socket on the house's machine */
};

/* Opens a terminal so wide that no line is broken. */
static struct terminal *open_wide_terminal(const struct openssh *line)
{
    return terminal_open(line->words, "xterm-256color", 200, 50);
}

static int set_up_house_and_forwardings(void **state)
{
    static struct fixture fixture;
    static struct house_fixture house;
    char port[160], path[160];
    struct openssh line;
    house_open_with_settings(&house, settings);
    fixture = (struct fixture){.house = &house};
    snprintf(fixture.to_port, sizeof(fixture.to_port), "%s/port", fixture.house->folder);
    snprintf(fixture.to_socket, sizeof(fixture.to_socket), "%s/socket", fixture.house->folder);
    snprintf(port, sizeof(port), "%s:127.0.0.1:%d", fixture.to_port, fixture.house->port);
    snprintf(path, sizeof(path), "%s:/run/some.sock", fixture.to_socket);
    fixture.player = guests_connect(fixture.house);
    client_play_trick(fixture.player);
    openssh_begin_command_line(&line, fixture.house, "ssh");
    openssh_add_words(&line,
                      (const char *const[]){"-N", "-L", port, "-L", path, OPENSSH_GUEST, NULL});
    fixture.idle = open_wide_terminal(&line);
    *state = &fixture;
    return 0;
}

static int tear_down_house_and_forwardings(void **state)
{
    struct fixture *fixture = *state;
    terminal_free(fixture->idle);
    terminal_free(fixture->player);
    house_close(fixture->house);
    return 0;
}

/* Connects to a local end of a forwarding, once ssh has created it. (The
 * option -D is not tested: it sends the house the same request.) */
static int connect_to_local_end(const struct fixture *fixture, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(client >= 0);
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (connect(client, (const struct sockaddr *)&address, sizeof(address)) != 0) {
        assert_in_range(terminal_now_ms(), 0, deadline);
        terminal_read(fixture->idle, 20);
    }
    return client;
}

static void a_connection_through_a_forwarding_ends_at_once(void **state)
{
    const struct fixture *fixture = *state;
    for (int i = 0; i < 20; i++) {
        char byte;
        int client =
            connect_to_local_end(fixture, i % 2 == 0 ? fixture->to_port : fixture->to_socket);
        struct pollfd wait = {.fd = client, .events = POLLIN};
        assert_int_equal(poll(&wait, 1, TERMINAL_DEADLINE_MS), 1);
        assert_int_equal(read(client, &byte, 1), 0); /* only the end of the connection arrives */
        close(client);
    }
    terminal_expect(fixture->idle, REFUSED);
}

static void run_openssh(const struct fixture *fixture, const char *const *words,
                        struct command_result *result)
{
    struct openssh line;
    openssh_begin_command_line(&line, fixture->house, "ssh");
    openssh_add_words(&line, words);
    command_run(fixture->house, line.words, result);
}

static void no_port_or_agent_is_forwarded(void **state)
{
    static const struct {
        const char *words[8];
        int status;
        const char *says;
    } wishes[] = {
        {{"-W", "127.0.0.1:22", OPENSSH_GUEST}, 255, REFUSED},
        {{"-N", "-R", "24099:127.0.0.1:22", "-oExitOnForwardFailure=yes", OPENSSH_GUEST},
         255,
         "Error: remote port forwarding failed for listen port 24099"},
        {{"-N", "-R", "/tmp/trickhouse-e2e.sock:127.0.0.1:22", "-oExitOnForwardFailure=yes",
          OPENSSH_GUEST},
         255,
         "Error: remote port forwarding failed for listen path"},
        {{"-R", "24099", OPENSSH_GUEST, "ls"},
         1,
         "Warning: remote port forwarding failed for listen port 24099"},
    };
    struct command_result result;
    for (size_t i = 0; i < ARRAY_LEN(wishes); i++) {
        run_openssh(*state, wishes[i].words, &result);
        command_assert_result(&result, wishes[i].status, wishes[i].says);
    }
}

/* Without its own X11 display, ssh does not request X11 forwarding. */
static void no_x11_windows_are_forwarded(void **state)
{
    static const char *const ways[] = {"-X", "-Y"};
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        struct openssh line;
        struct command_result result;
        const char *words[OPENSSH_WORDS_MAX + 2] = {"env", "DISPLAY=127.0.0.1:99"};
        openssh_begin_command_line(&line, fixture->house, "ssh");
        openssh_add_words(&line, (const char *const[]){ways[i], OPENSSH_GUEST, "ls", NULL});
        memcpy(words + 2, line.words, sizeof(line.words));
        command_run(fixture->house, words, &result);
        command_assert_result(&result, 1, "X11 forwarding request failed");
        command_assert_result(&result, 1, "Trickhouse");
    }
}

/* When the house refuses a second session on the shared connection, ssh opens a new connection for
 * the command. */
static void a_connection_can_have_only_one_session(void **state)
{
    struct fixture *fixture = *state;
    struct openssh line;
    struct command_result result;
    char control[128];
    snprintf(control, sizeof(control), "ControlPath=%s/control", fixture->house->folder);
    openssh_begin_command_line(&line, fixture->house, "ssh");
    openssh_add_words(&line, (const char *const[]){"-M", "-o", control, OPENSSH_GUEST, NULL});
    struct terminal *master = open_wide_terminal(&line);
    guests_close_offer(master);
    terminal_expect(master, "#lobby");

    run_openssh(fixture, (const char *const[]){"-o", control, OPENSSH_GUEST, "ls", NULL}, &result);
    command_assert_result(&result, 1, "Session open refused by peer");
    command_assert_result(&result, 1, "Trickhouse");
    run_openssh(fixture, (const char *const[]){"-o", control, "-s", OPENSSH_GUEST, "sftp", NULL},
                &result);
    command_assert_result(&result, 255, "Session open refused by peer");
    run_openssh(fixture,
                (const char *const[]){"-o", control, "-W", "127.0.0.1:22", OPENSSH_GUEST, NULL},
                &result);
    command_assert_result(&result, 255, "Session open refused by peer");
    run_openssh(fixture,
                (const char *const[]){"-o", control, "-O", "forward", "-R", "24099:127.0.0.1:22",
                                      OPENSSH_GUEST, NULL},
                &result);
    command_assert_result(&result, 255, "remote port forwarding failed");

    terminal_resize(master, 120, 40); /* the first session is not affected */
    terminal_expect_full_screen(master);
    client_leave(master);
}

static void a_connection_without_a_session_is_told_that_it_lacks_one(void **state)
{
    static const char words[] = "Your client did not ask for a session: connect with a terminal.";
    struct terminal *idle = ((struct fixture *)*state)->idle;
    terminal_expect(idle, words);
    assert_int_equal(terminal_wait_for_end(idle), 255);
}

static void another_player_can_play_after_forwarding_attempts(void **state)
{
    struct fixture *fixture = *state;
    client_resign(fixture->player);
    fixture->player = NULL;
}

TEST_GROUP(openssh_forwarding)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_connection_through_a_forwarding_ends_at_once),
        cmocka_unit_test(no_port_or_agent_is_forwarded),
        cmocka_unit_test(no_x11_windows_are_forwarded),
        cmocka_unit_test(a_connection_can_have_only_one_session),
        cmocka_unit_test(a_connection_without_a_session_is_told_that_it_lacks_one),
        cmocka_unit_test(another_player_can_play_after_forwarding_attempts),
    };
    return cmocka_run_group_tests_name("openssh_forwarding", tests, set_up_house_and_forwardings,
                                       tear_down_house_and_forwardings);
}
