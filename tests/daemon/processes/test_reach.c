#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "tests/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    AS_EXPECTED = 0,
    NOT_AS_EXPECTED,
    NOT_LIMITED,
};

/* Calls `attempt` in a child process that may reach only what `reach` allows. Returns the child's
 * exit status. */
static int run_restricted(enum reach reach, int (*attempt)(void))
{
    int status = 0;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        _exit(reach_restrict_process(reach) ? attempt() : NOT_LIMITED);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool is_refused_with_eperm(int result)
{
    return result < 0 && errno == EPERM;
}

static int fails_to_reach_network(void)
{
    return is_refused_with_eperm(socket(AF_INET, SOCK_STREAM, 0)) &&
                   is_refused_with_eperm(socket(AF_INET6, SOCK_DGRAM, 0)) &&
                   is_refused_with_eperm(socket(AF_NETLINK, SOCK_RAW, 0))
               ? AS_EXPECTED
               : NOT_AS_EXPECTED;
}

static int reaches_own_machine(void)
{
    int ends[2];
    return socket(AF_UNIX, SOCK_SEQPACKET, 0) >= 0 &&
                   socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0
               ? AS_EXPECTED
               : NOT_AS_EXPECTED;
}

static int fails_to_open_socket(void)
{
    return is_refused_with_eperm(socket(AF_UNIX, SOCK_STREAM, 0)) ? AS_EXPECTED : NOT_AS_EXPECTED;
}

static int fails_to_start_program(void)
{
    execl("/bin/true", "true", (char *)NULL);
    return errno == EPERM ? AS_EXPECTED : NOT_AS_EXPECTED;
}

static int fails_to_trace_another_process(void)
{
    return is_refused_with_eperm((int)ptrace(PTRACE_ATTACH, getppid(), NULL, NULL))
               ? AS_EXPECTED
               : NOT_AS_EXPECTED;
}

static void the_core_reaches_its_own_machine_and_no_network(void **state)
{
    (void)state;
    assert_int_equal(run_restricted(REACH_MACHINE, fails_to_reach_network), AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_MACHINE, reaches_own_machine), AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_MACHINE, fails_to_trace_another_process), AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_MACHINE, fails_to_start_program),
                     0); /* /bin/true ran and returned 0 */
}

static void restricted_workers_open_no_socket_and_start_no_program(void **state)
{
    (void)state;
    assert_int_equal(run_restricted(REACH_NOTHING, fails_to_reach_network), AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_NOTHING, fails_to_open_socket), AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_NOTHING, fails_to_start_program), AS_EXPECTED);
}

/* Checks that the process can connect, but not listen. */
static int connects_but_does_not_listen(void)
{
    int out = socket(AF_INET, SOCK_STREAM, 0);
    return out >= 0 && socket(AF_INET6, SOCK_DGRAM, 0) >= 0 &&
                   socket(AF_UNIX, SOCK_STREAM, 0) >= 0 && is_refused_with_eperm(listen(out, 1)) &&
                   is_refused_with_eperm(accept(out, NULL, NULL)) &&
                   is_refused_with_eperm(socket(AF_NETLINK, SOCK_RAW, 0)) &&
                   is_refused_with_eperm(socket(AF_PACKET, SOCK_RAW, 0)) &&
                   is_refused_with_eperm(socket(AF_VSOCK, SOCK_STREAM, 0))
               ? AS_EXPECTED
               : NOT_AS_EXPECTED;
}

static void the_webhook_worker_may_connect_but_not_start_programs(void **state)
{
    (void)state;
    assert_int_equal(run_restricted(REACH_NETWORK, connects_but_does_not_listen), AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_NETWORK, fails_to_start_program), AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_NETWORK, fails_to_trace_another_process), AS_EXPECTED);
}

/* Checks that the process can connect and accept, but opens no file and no other kind of socket. */
static int reaches_nodes_only(void)
{
    int out = socket(AF_INET, SOCK_STREAM, 0);
    bool is_accept_refused = is_refused_with_eperm(accept(out, NULL, NULL));
    return out >= 0 && !is_accept_refused && is_refused_with_eperm(listen(out, 1)) &&
                   is_refused_with_eperm(bind(out, NULL, 0)) &&
                   is_refused_with_eperm(socket(AF_UNIX, SOCK_STREAM, 0)) &&
                   is_refused_with_eperm(socket(AF_NETLINK, SOCK_RAW, 0)) &&
                   is_refused_with_eperm(open("/etc/passwd", O_RDONLY)) &&
                   is_refused_with_eperm(unlink("/nonexistent"))
               ? AS_EXPECTED
               : NOT_AS_EXPECTED;
}

static void the_bridge_reaches_other_nodes_but_no_file(void **state)
{
    (void)state;
    assert_int_equal(run_restricted(REACH_NODES, reaches_nodes_only), AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_NODES, fails_to_start_program), AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_NODES, fails_to_trace_another_process), AS_EXPECTED);
}

/* Checks that the process can connect and accept, but open no socket at which others connect. */
static int connects_and_accepts_but_does_not_listen(void)
{
    int out = socket(AF_INET, SOCK_STREAM, 0);
    return out >= 0 && socket(AF_UNIX, SOCK_STREAM, 0) >= 0 &&
                   is_refused_with_eperm(listen(out, 1)) &&
                   is_refused_with_eperm(bind(out, NULL, 0)) && accept(out, NULL, NULL) < 0 &&
                   errno != EPERM && is_refused_with_eperm(socket(AF_NETLINK, SOCK_RAW, 0)) &&
                   is_refused_with_eperm(socket(AF_VSOCK, SOCK_STREAM, 0))
               ? AS_EXPECTED
               : NOT_AS_EXPECTED;
}

static void the_core_of_a_house_in_postgresql_may_also_connect(void **state)
{
    (void)state;
    assert_int_equal(run_restricted(REACH_DATABASE, connects_and_accepts_but_does_not_listen),
                     AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_DATABASE, fails_to_trace_another_process), AS_EXPECTED);
    assert_int_equal(run_restricted(REACH_DATABASE, fails_to_start_program),
                     0); /* /bin/true ran and returned 0 */
}

TEST_GROUP(reach)
{
    if (IS_SANITIZED) {
        return 0; /* a sanitizer build does not restrict its processes */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_core_reaches_its_own_machine_and_no_network),
        cmocka_unit_test(restricted_workers_open_no_socket_and_start_no_program),
        cmocka_unit_test(the_core_of_a_house_in_postgresql_may_also_connect),
        cmocka_unit_test(the_bridge_reaches_other_nodes_but_no_file),
        cmocka_unit_test(the_webhook_worker_may_connect_but_not_start_programs),
    };
    return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}
