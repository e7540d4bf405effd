#include "tests/daemon/processes/peer_fixture.h"

#include "daemon/base/clock.h"
#include "daemon/base/packet.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void wait_for(int fd, short events, const char *what)
{
    struct pollfd wanted = {.fd = fd, .events = events};
    if (poll(&wanted, 1, FIXTURE_DEADLINE_MS) != 1) {
        fail_msg("waited in vain for %s", what);
    }
}

json_t *peer_expect_any(int socket)
{
    static char buffer[PACKET_MAX];
    size_t len;
    wait_for(socket, POLLIN, "a message");
    assert_int_equal(packet_receive(socket, buffer, &len, NULL), PACKET_OK);
    json_t *message = json_loadb(buffer, len, 0, NULL);
    assert_true(json_is_object(message));
    return message;
}

json_t *peer_expect(int socket, const char *type)
{
    for (;;) {
        json_t *message = peer_expect_any(socket);
        const char *found = json_string_value(json_object_get(message, "t"));
        assert_non_null(found);
        if (strcmp(found, type) == 0) {
            return message;
        }
        json_decref(message);
    }
}

void peer_expect_closed(int socket)
{
    static char buffer[PACKET_MAX];
    enum packet_result result;
    size_t len;
    do {
        wait_for(socket, POLLIN, "the end");
        result = packet_receive(socket, buffer, &len, NULL);
    } while (result == PACKET_OK);
    assert_int_equal(result, PACKET_CLOSED);
}

void peer_say_with(int socket, json_t *message, int fd)
{
    char *json = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    assert_non_null(json);
    enum packet_result result;
    while ((result = packet_send(socket, json, strlen(json), fd)) == PACKET_AGAIN) {
        wait_for(socket, POLLOUT, "room for a message");
    }
    assert_int_equal(result, PACKET_OK);
    free(json);
}

void peer_say(int socket, json_t *message)
{
    peer_say_with(socket, message, -1);
}

pid_t peer_start(int (*run)(int socket), int *socket)
{
    int ends[2];
    assert_int_equal(packet_pair(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        _exit(run(ends[1]));
    }
    close(ends[1]);
    *socket = ends[0];
    return pid;
}

int peer_wait(pid_t pid)
{
    int status = 0;
    int process = pidfd_open(pid, 0);
    assert_true(process >= 0);
    wait_for(process, POLLIN, "a process to end");
    close(process);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
