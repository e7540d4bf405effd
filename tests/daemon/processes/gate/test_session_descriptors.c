#include "daemon/session/session.h"

#include "daemon/base/base.h"
#include "daemon/session/session_state.h"
#include "gate_fixture.h"
#include "tests/unit.h"

#include <ctype.h>
#include <dirent.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Which descriptors the processes of sessions have, and which the gate keeps. fake_ui.c stands in
 * for the screen.
 */
enum {
    SESSIONS = 5,
    DESCRIPTORS_MAX = 64,
};

#define POLL_MS 5

/* Open descriptors of a process: their numbers, and what they refer to: "socket:[4711]", or for a
 * file in memory "memfd:4711" with the number of its inode. */
struct descriptors {
    size_t count;
    int numbers[DESCRIPTORS_MAX];
    char names[DESCRIPTORS_MAX][64];
};

static void read_descriptors(pid_t pid, struct descriptors *descriptors)
{
    char path[320];
    descriptors->count = 0;
    (void)snprintf(path, sizeof(path), "/proc/%d/fd", pid);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        (void)snprintf(path, sizeof(path), "/proc/%d/fd/%s", pid, entry->d_name);
        char *name = descriptors->names[descriptors->count];
        ssize_t len = readlink(path, name, sizeof(descriptors->names[0]) - 1);
        if (isdigit((unsigned char)entry->d_name[0]) == 0 || len < 0) {
            continue; /* "." or "..", or the descriptor has just been closed */
        }
        name[len] = '\0';
        struct stat file;
        if (strncmp(name, "/memfd:", 7) == 0 && stat(path, &file) == 0) {
            (void)snprintf(name, sizeof(descriptors->names[0]), "memfd:%llu",
                           (unsigned long long)file.st_ino);
        }
        descriptors->numbers[descriptors->count++] = atoi(entry->d_name);
        assert_in_range(descriptors->count, 1, DESCRIPTORS_MAX - 1);
    }
    closedir(folder);
}

static bool is_held(const struct descriptors *descriptors, const char *name)
{
    for (size_t i = 0; i < descriptors->count; i++) {
        if (strcmp(descriptors->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Fills in the processes of the gate's sessions. Returns their number, SESSIONS at most. */
static int list_sessions(pid_t gate, pid_t pids[SESSIONS])
{
    char path[64];
    int count = 0;
    (void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", gate, gate);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (count < SESSIONS && fscanf(file, "%d", &pids[count]) == 1) { /* NOLINT(cert-err34-c) */
        count++;
    }
    (void)fclose(file);
    return count;
}

/* Connects SESSIONS clients, and waits until their sessions have greeted them. */
static void connect_clients(const struct house *house, int peers[SESSIONS], pid_t pids[SESSIONS])
{
    char greeting[HOUSE_GREETING_SIZE];
    for (int i = 0; i < SESSIONS; i++) {
        house_read_greeting(house, &peers[i], greeting);
        assert_memory_equal(greeting, "SSH-2.0-", 8);
    }
    assert_int_equal(list_sessions(house->gate, pids), SESSIONS);
}

static void close_house_with_clients(struct house *house, const int peers[SESSIONS])
{
    for (int i = 0; i < SESSIONS; i++) {
        close(peers[i]);
    }
    house_close(house);
}

/* A session has its standard streams, the client, the core, the pipe that reports the sign-in, the
 * descriptor of signals, and the file of its display. */
static void a_session_has_only_its_own_descriptors(void **state)
{
    (void)state;
    struct house house;
    int peers[SESSIONS];
    pid_t pids[SESSIONS];
    static struct descriptors sessions[SESSIONS], gate;
    if (geteuid() != 0) {
        skip(); /* only root sees the descriptors of sessions */
    }
    house_open(&house, SESSIONS);
    connect_clients(&house, peers, pids);
    read_descriptors(house.gate, &gate);
    for (int i = 0; i < SESSIONS; i++) {
        read_descriptors(pids[i], &sessions[i]);
        assert_int_equal(sessions[i].count, 8);
        for (size_t k = 0; k < sessions[i].count; k++) {
            const char *name = sessions[i].names[k];
            bool is_private = strncmp(name, "socket:", 7) == 0 || strncmp(name, "pipe:", 5) == 0 ||
                              strncmp(name, "memfd:", 6) == 0;
            assert_in_range(sessions[i].numbers[k], 0, 15);
            for (int other = 0; is_private && other < i; other++) {
                assert_false(is_held(&sessions[other], name));
            }
            assert_true(!is_private || !is_held(&gate, name) || sessions[i].numbers[k] < FD_FREE);
        }
    }
    close_house_with_clients(&house, peers);
}

/* Counts the descriptors that a process would copy which begins with the gate's table. */
static int count_descriptors_for_children(pid_t gate)
{
    static struct descriptors held;
    int count = 0;
    read_descriptors(gate, &held);
    for (size_t i = 0; i < held.count; i++) {
        count += held.numbers[i] < SEPARATION_FDS ? 1 : 0;
    }
    return count;
}

/* A new session copies the gate's descriptors below SEPARATION_FDS, whose number must not grow with
 * the number of sessions. */
static void the_gate_keeps_no_low_descriptors_for_its_sessions(void **state)
{
    (void)state;
    struct house house;
    int peers[SESSIONS];
    pid_t pids[SESSIONS];
    if (geteuid() != 0) {
        skip();
    }
    house_open(&house, SESSIONS);
    int without_sessions = count_descriptors_for_children(house.gate);
    connect_clients(&house, peers, pids);
    int64_t deadline_ms = clock_steady_ms() + HOUSE_PATIENCE_MS;
    while (count_descriptors_for_children(house.gate) > without_sessions &&
           clock_steady_ms() < deadline_ms) {
        (void)poll(NULL, 0, POLL_MS);
    }
    assert_in_range(count_descriptors_for_children(house.gate), 1, without_sessions);
    close_house_with_clients(&house, peers);
}

/* Begins a key exchange and reads the random bytes that the session has put into it: 16 bytes after
 * the packet's length, the length of its padding and its type (RFC 4253, 6 and 7.1). */
static void read_cookie(const struct house *house, int *peer, char cookie[16])
{
    static const char hello[] = "SSH-2.0-test\r\n";
    char bytes[HOUSE_GREETING_SIZE];
    size_t len = 0;
    const char *packet = NULL;
    house_read_greeting(house, peer, bytes);
    len = strlen(bytes);
    assert_int_equal(write(*peer, hello, sizeof(hello) - 1), sizeof(hello) - 1);
    while (packet == NULL || bytes + len < packet + 6 + 16) {
        struct pollfd ready = {.fd = *peer, .events = POLLIN};
        assert_int_equal(poll(&ready, 1, HOUSE_PATIENCE_MS), 1);
        ssize_t got = read(*peer, bytes + len, sizeof(bytes) - len);
        assert_true(got > 0);
        len += (size_t)got;
        const char *end = memchr(bytes, '\n', len);
        packet = end != NULL ? end + 1 : NULL;
    }
    assert_int_equal(packet[5], 20); /* SSH_MSG_KEXINIT */
    memcpy(cookie, packet + 6, 16);
}

/* All sessions begin as copies of the same process, and of its random number generator. */
static void sessions_draw_different_random_numbers(void **state)
{
    (void)state;
    struct house house;
    int peers[SESSIONS];
    char cookies[SESSIONS][16];
    house_open(&house, SESSIONS);
    for (int i = 0; i < SESSIONS; i++) {
        read_cookie(&house, &peers[i], cookies[i]);
        for (int other = 0; other < i; other++) {
            assert_memory_not_equal(cookies[i], cookies[other], 16);
        }
    }
    close_house_with_clients(&house, peers);
}

TEST_GROUP(session_descriptors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_has_only_its_own_descriptors),
        cmocka_unit_test(the_gate_keeps_no_low_descriptors_for_its_sessions),
        cmocka_unit_test(sessions_draw_different_random_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
