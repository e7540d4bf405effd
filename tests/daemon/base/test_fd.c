#include "daemon/base/base.h"
#include "tests/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOWEST 100 /* the test uses the descriptors 100 to 104 */

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static void only_the_descriptors_in_the_range_are_closed(void **state)
{
    (void)state;
    for (int fd = LOWEST; fd < LOWEST + 5; fd++) {
        assert_int_equal(dup2(STDERR_FILENO, fd), fd);
    }
    assert_true(fd_close_range(LOWEST + 1, LOWEST + 3, 0));
    for (int fd = LOWEST; fd < LOWEST + 5; fd++) {
        assert_int_equal(is_open(fd), fd == LOWEST || fd == LOWEST + 4);
    }
    assert_true(fd_close_range(LOWEST, ~0U, 0));
    assert_false(is_open(LOWEST + 4));
    assert_false(fd_close_range(1, 0, 0));
    assert_int_equal(errno, EINVAL);
}

static void a_process_is_signalled_and_awaited_by_its_descriptor(void **state)
{
    (void)state;
    int status;
    pid_t child = fork();
    if (child == 0) {
        for (;;) {
            pause();
        }
    }
    int process = fd_open_process(child);
    assert_true(process >= 0);
    struct pollfd end = {.fd = process, .events = POLLIN};
    assert_int_equal(poll(&end, 1, 0), 0);
    assert_true(fd_signal_process(process, SIGTERM));
    assert_int_equal(poll(&end, 1, 10000), 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_false(fd_signal_process(process, SIGTERM));
    assert_int_equal(errno, ESRCH);
    close(process);
    assert_int_equal(fd_open_process(child), -1);
}

TEST_GROUP(fd)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_descriptors_in_the_range_are_closed),
        cmocka_unit_test(a_process_is_signalled_and_awaited_by_its_descriptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
