#include "daemon/cli/cli.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* What systemd passes to a program. */
struct passed {
    const char *names; /* LISTEN_FDNAMES; NULL: not set */
    int sockets;       /* number of listening sockets */
    bool is_for_other; /* LISTEN_PID names another process */
    int family;
    int type;
    bool is_quiet; /* the sockets do not listen */
};

static int open_socket(const struct passed *passed)
{
    int fd = socket(passed->family, passed->type, 0);
    if (fd >= 0 && !passed->is_quiet && passed->type == SOCK_STREAM) {
        (void)listen(fd, 1); /* the kernel chooses a port */
    }
    return fd;
}

static void set_number(const char *variable, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(variable, text, 1);
}

static bool has_right_flags(int fd)
{
    return (fcntl(fd, F_GETFL) & O_NONBLOCK) != 0 && (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
}

/* Returns the exit status of the child: 100 if the sockets are refused; otherwise ten times the
 * number of sockets for SSH, plus that for telnet; 101 if something else is wrong. */
static int take_in_child(const struct passed *passed)
{
    struct listeners listeners = {.count = 0};
    int counts[2] = {0};
    close_range(3, ~0U, 0);
    for (int i = 0; i < passed->sockets; i++) {
        if (open_socket(passed) != 3 + i) {
            return 101;
        }
    }
    set_number("LISTEN_PID", passed->is_for_other ? getppid() : getpid());
    set_number("LISTEN_FDS", passed->sockets);
    if (passed->names != NULL) {
        setenv("LISTEN_FDNAMES", passed->names, 1);
    }
    if (freopen("/dev/null", "w", stderr) == NULL) {
        return 101;
    }
    if (!passed_sockets_take(&listeners)) {
        return 100;
    }
    for (size_t i = 0; i < listeners.count; i++) {
        counts[listeners.list[i].is_telnet ? 1 : 0]++;
        if (listeners.list[i].socket != 3 + (int)i || !has_right_flags(3 + (int)i)) {
            return 101;
        }
    }
    bool is_clean = getenv("LISTEN_PID") == NULL && getenv("LISTEN_FDS") == NULL &&
                    getenv("LISTEN_FDNAMES") == NULL;
    return is_clean ? 10 * counts[0] + counts[1] : 101;
}

static int take(const struct passed *passed)
{
    int status = -1;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(take_in_child(passed));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void passed_sockets_are_taken_by_their_names(void **state)
{
    (void)state;
    const struct passed one = {"ssh", 1, .family = AF_INET, .type = SOCK_STREAM};
    const struct passed three = {"ssh:telnet:ssh", 3, .family = AF_INET6, .type = SOCK_STREAM};
    const struct passed none = {.sockets = 0};
    assert_int_equal(take(&one), 10);
    assert_int_equal(take(&three), 21);
    assert_int_equal(take(&none), 0);
}

static void sockets_for_another_process_are_left_alone(void **state)
{
    (void)state;
    const struct passed other = {"ssh", 1, true, AF_INET, SOCK_STREAM, false};
    assert_int_equal(take(&other), 0);
}

static void sockets_that_no_house_can_use_are_refused(void **state)
{
    (void)state;
    static const struct passed wrong[] = {
        {"trickhouse.socket", 1, .family = AF_INET, .type = SOCK_STREAM},
        {"ssh", 2, .family = AF_INET, .type = SOCK_STREAM},
        {NULL, 1, .family = AF_INET, .type = SOCK_STREAM},
        {"ssh", 1, .family = AF_UNIX, .type = SOCK_STREAM},
        {"ssh", 1, .family = AF_INET, .type = SOCK_DGRAM},
        {"ssh", 1, .family = AF_INET, .type = SOCK_STREAM, .is_quiet = true},
        {"ssh:ssh:ssh:ssh:ssh:ssh:ssh:ssh:ssh:ssh:ssh:ssh:ssh:ssh:ssh:ssh:ssh", 17,
         .family = AF_INET, .type = SOCK_STREAM},
    };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_int_equal(take(&wrong[i]), 100);
    }
}

TEST_GROUP(passed_sockets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passed_sockets_are_taken_by_their_names),
        cmocka_unit_test(sockets_for_another_process_are_left_alone),
        cmocka_unit_test(sockets_that_no_house_can_use_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
