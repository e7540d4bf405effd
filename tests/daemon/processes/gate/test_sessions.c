#include "daemon/processes/gate/gate.h"
#include "tests/unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM 4

static struct sessions sessions;

/* Adds a session from this address that has not signed in. */
static struct sessions_entry *add_session(pid_t pid, const char *address)
{
    const struct sessions_entry entry = {
        .pid = pid,
        .conn = 100 + pid,
        .core_end = dup(STDIN_FILENO),
        .signed_in_fd = dup(STDIN_FILENO),
        .log_fd = -1,
        .process_fd = -1,
        .source = limits_source_of_address(address),
    };
    assert_false(sessions_is_full(&sessions));
    return sessions_add(&sessions, &entry);
}

static struct limits_counts count_sessions_from(const char *address)
{
    const struct limits_source source = limits_source_of_address(address);
    return sessions_count_from_source(&sessions, &source);
}

static int set_up_session_list(void **state)
{
    (void)state;
    sessions_init(&sessions, ROOM);
    return 0;
}

static int tear_down_session_list(void **state)
{
    (void)state;
    struct sessions_entry *session;
    SESSIONS_EACH(session, &sessions) {
        sessions_remove(&sessions, session);
    }
    assert_int_equal(sessions.count, 0);
    assert_int_equal(sessions.unauth, 0);
    sessions_clear(&sessions);
    return 0;
}

static void a_signed_in_session_no_longer_counts_as_unauthenticated(void **state)
{
    (void)state;
    struct sessions_entry *first = add_session(11, "2001:db8:1:1::1");
    struct sessions_entry *second = add_session(12, "2001:db8:1:1::2");
    assert_int_equal(sessions.unauth, 2);
    assert_int_equal(count_sessions_from("2001:db8:1:1::9").source_unauth, 2);
    sessions_mark_signed_in(&sessions, first);
    sessions_mark_signed_in(&sessions, first); /* marking a session twice changes nothing */
    assert_int_equal(sessions.unauth, 1);
    assert_int_equal(count_sessions_from("2001:db8:1:1::9").unauth, 1);
    assert_int_equal(count_sessions_from("2001:db8:1:1::9").source_unauth, 1);
    assert_int_equal(count_sessions_from("2001:db8:1:1::9").source_connections, 2);
    sessions_remove(&sessions, second);
    assert_int_equal(sessions.unauth, 0);
    assert_int_equal(count_sessions_from("2001:db8:1:1::9").source_connections, 1);
}

static void sessions_are_counted_for_a_source_and_for_its_network(void **state)
{
    (void)state;
    sessions_mark_signed_in(&sessions, add_session(11, "2001:db8:1:1::1"));
    add_session(12, "2001:db8:1:2::1");
    add_session(13, "2001:db8:2:1::1");
    struct limits_counts counts = count_sessions_from("2001:db8:1:1::9");
    assert_int_equal(counts.unauth, 2);
    assert_int_equal(counts.source_connections, 1);
    assert_int_equal(counts.source_unauth, 0);
    assert_int_equal(counts.net_connections, 2);
    assert_int_equal(counts.net_unauth, 1);
    assert_int_equal(count_sessions_from("::ffff:192.0.2.1").net_connections, 0);
}

static void an_ended_session_frees_its_place_in_the_session_list(void **state)
{
    (void)state;
    struct sessions_entry *places[ROOM];
    for (int i = 0; i < ROOM; i++) {
        places[i] = add_session(11 + i, "2001:db8::1");
    }
    assert_true(sessions_is_full(&sessions));
    assert_ptr_equal(sessions_find_by_conn(&sessions, 113), places[2]);
    sessions_remove(&sessions, places[2]);
    assert_false(sessions_is_full(&sessions));
    assert_null(sessions_find_by_conn(&sessions, 113));
    assert_ptr_equal(add_session(20, "2001:db8::1"), places[2]);
}

/* Receives the gate's messages, and writes the numbers of the connections in them to `told`, which
 * ends with -1 if the message `connections_end` followed. */
static void receive_told(int core, char told[64])
{
    char buffer[PACKET_MAX];
    size_t len;
    int fd = -1;
    told[0] = '\0';
    while (packet_receive(core, buffer, &len, &fd) == PACKET_OK) {
        json_t *message = json_loadb(buffer, len, 0, NULL);
        const json_t *conn = json_object_get(message, "conn");
        size_t used = strlen(told);
        (void)snprintf(told + used, 64 - used, "%d ",
                       conn == NULL ? -1 : (int)json_integer_value(conn));
        json_decref(message);
        if (fd >= 0) {
            close(fd);
        }
    }
}

static void the_core_is_told_about_each_session_until_its_end_is_closed(void **state)
{
    (void)state;
    static struct gate gate;
    int ends[2];
    char told[64];
    assert_int_equal(packet_make_socket_pair(ends), 0);
    struct sessions_entry *first = add_session(11, "::1");
    struct sessions_entry *second = add_session(12, "::1");
    add_session(13, "::1");
    sessions_drop(second, false);
    gate = (struct gate){.core = {.socket = ends[0], .state = GATE_CORE_HANDING_OVER},
                         .sessions = sessions};
    gate_core_tell(&gate);
    receive_told(ends[1], told);
    assert_string_equal(told, "111 113 -1 ");
    gate_core_tell(&gate); /* it knows them all */
    receive_told(ends[1], told);
    assert_string_equal(told, "");
    first->is_told = false;
    gate_core_tell(&gate);
    receive_told(ends[1], told);
    assert_string_equal(told, "111 ");
    close(ends[0]);
    close(ends[1]);
}

/* The property test: random changes to a large table, whose counts are compared with counts made
 * by looking at every session. */
enum {
    CROWD = 300,
    CROWD_CHANGES = 30000,
};

static uint64_t draw_number(uint64_t *random_state, uint64_t below)
{
    *random_state = *random_state * 6364136223846793005U + 1442695040888963407U;
    return (*random_state >> 33) % below;
}

/* Draws one of 64 IPv6 sources in 8 nets, or one of 16 IPv4 addresses, or loopback. */
static struct limits_source draw_source(uint64_t *random_state)
{
    char address[INET6_ADDRSTRLEN];
    unsigned first = (unsigned)draw_number(random_state, 8);
    unsigned second = (unsigned)draw_number(random_state, 8);
    switch (draw_number(random_state, 3)) {
    case 0:
        (void)snprintf(address, sizeof(address), "2001:db8:%x:%x::1", first, second);
        break;
    case 1:
        (void)snprintf(address, sizeof(address), "::ffff:192.0.2.%u", 8 * (first % 2) + second);
        break;
    default:
        (void)snprintf(address, sizeof(address), "::1");
        break;
    }
    return limits_source_of_address(address);
}

/* Counts as sessions_count_from_source does, by looking at every session. */
static struct limits_counts count_slowly(const struct sessions *crowd,
                                         const struct limits_source *source)
{
    struct limits_counts counts = {0};
    struct limits_source net;
    bool has_net = limits_source_to_net(source, &net);
    const struct sessions_entry *session;
    SESSIONS_EACH(session, crowd) {
        struct limits_source other_net;
        int unauth = session->signed_in_fd >= 0 ? 1 : 0;
        bool is_same = memcmp(&session->source, source, sizeof *source) == 0;
        bool is_same_net = has_net && limits_source_to_net(&session->source, &other_net) &&
                           memcmp(&other_net, &net, sizeof net) == 0;
        counts.unauth += unauth;
        counts.source_connections += is_same ? 1 : 0;
        counts.source_unauth += is_same ? unauth : 0;
        counts.net_connections += is_same_net ? 1 : 0;
        counts.net_unauth += is_same_net ? unauth : 0;
    }
    return counts;
}

static void assert_counts_are_equal(const struct limits_counts *a, const struct limits_counts *b)
{
    assert_int_equal(a->unauth, b->unauth);
    assert_int_equal(a->source_connections, b->source_connections);
    assert_int_equal(a->source_unauth, b->source_unauth);
    assert_int_equal(a->net_connections, b->net_connections);
    assert_int_equal(a->net_unauth, b->net_unauth);
}

/* Adds a session, or lets the session at a random place sign in or end. */
static void change_crowd_at_random(struct sessions *crowd, int64_t conn, uint64_t *random_state)
{
    struct sessions_entry *session = &crowd->entries[draw_number(random_state, CROWD)];
    uint64_t change = draw_number(random_state, 3);
    if (change == 0 && !sessions_is_full(crowd)) {
        const struct sessions_entry entry = {
            .pid = 1000,
            .conn = conn,
            .core_end = -1,
            .signed_in_fd = draw_number(random_state, 4) == 0 ? -1 : dup(STDIN_FILENO),
            .log_fd = -1,
            .process_fd = -1,
            .source = draw_source(random_state),
        };
        assert_null(sessions_find_by_conn(crowd, conn));
        const struct sessions_entry *added = sessions_add(crowd, &entry);
        assert_ptr_equal(sessions_find_by_conn(crowd, conn), added);
    } else if (change == 1 && session->pid != 0) {
        sessions_mark_signed_in(crowd, session);
    } else if (change == 2 && session->pid != 0) {
        int64_t ended = session->conn;
        sessions_remove(crowd, session);
        assert_null(sessions_find_by_conn(crowd, ended));
    }
}

static void counts_are_the_same_as_by_looking_at_every_session(void **state)
{
    (void)state;
    struct sessions crowd;
    struct sessions_entry *session;
    uint64_t random_state = 20261;
    sessions_init(&crowd, CROWD);
    for (int i = 0; i < CROWD_CHANGES; i++) {
        change_crowd_at_random(&crowd, 1000 + i, &random_state);
        const struct limits_source source = draw_source(&random_state);
        const struct limits_counts counts = sessions_count_from_source(&crowd, &source);
        const struct limits_counts slowly = count_slowly(&crowd, &source);
        assert_counts_are_equal(&counts, &slowly);
    }
    assert_in_range(crowd.count, 1, CROWD);
    SESSIONS_EACH(session, &crowd) {
        assert_ptr_equal(sessions_find_by_conn(&crowd, session->conn), session);
        sessions_remove(&crowd, session);
    }
    assert_int_equal(crowd.count, 0);
    assert_int_equal(crowd.unauth, 0);
    assert_int_equal(crowd.without_process_fd, 0);
    sessions_clear(&crowd);
}

/* A session must not see who else is connected. */
static void a_child_process_does_not_inherit_the_session_list(void **state)
{
    (void)state;
    int status = 0;
    add_session(11, "::1");
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        unsigned char in_memory;
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        void *begin = (void *)((uintptr_t)sessions.entries & ~(page - 1));
        _exit(mincore(begin, 1, &in_memory) != 0 && errno == ENOMEM ? 0 : 1); /* not mapped */
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define WITH_ROOM(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, set_up_session_list, tear_down_session_list)

TEST_GROUP(sessions)
{
    const struct CMUnitTest tests[] = {
        WITH_ROOM(a_signed_in_session_no_longer_counts_as_unauthenticated),
        WITH_ROOM(sessions_are_counted_for_a_source_and_for_its_network),
        WITH_ROOM(an_ended_session_frees_its_place_in_the_session_list),
        WITH_ROOM(the_core_is_told_about_each_session_until_its_end_is_closed),
        cmocka_unit_test(counts_are_the_same_as_by_looking_at_every_session),
        WITH_ROOM(a_child_process_does_not_inherit_the_session_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
