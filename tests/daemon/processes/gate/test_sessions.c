#include "daemon/processes/gate/sessions.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ROOM 4

static struct sessions sessions;

static struct limits_source parse_source_address(const char *text)
{
    struct sockaddr_storage storage = {0};
    struct sockaddr_in6 address = {.sin6_family = AF_INET6};
    assert_int_equal(inet_pton(AF_INET6, text, &address.sin6_addr), 1);
    memcpy(&storage, &address, sizeof(address));
    return limits_source_of_address(&storage);
}

/* Adds a session from this address that has not signed in. */
static struct sessions_entry *add_session(pid_t pid, const char *address)
{
    const struct sessions_entry entry = {
        .pid = pid,
        .conn = 100 + pid,
        .core_end = dup(STDIN_FILENO),
        .signed_in_fd = dup(STDIN_FILENO),
        .log_fd = -1,
        .source = parse_source_address(address),
    };
    struct sessions_entry *place = sessions_find_free_place(&sessions);
    assert_non_null(place);
    sessions_add(&sessions, place, &entry);
    return place;
}

static struct limits_counts count_sessions_from(const char *address)
{
    const struct limits_source source = parse_source_address(address);
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
    for (size_t i = 0; i < sessions.max; i++) {
        if (sessions.entries[i].pid != 0) {
            sessions_remove(&sessions, &sessions.entries[i]);
        }
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
    assert_false(counts.is_loopback);
    assert_int_equal(count_sessions_from("::ffff:192.0.2.1").net_connections, 0);
    assert_true(count_sessions_from("::1").is_loopback);
}

static void an_ended_session_frees_its_place_in_the_session_list(void **state)
{
    (void)state;
    struct sessions_entry *places[ROOM];
    for (int i = 0; i < ROOM; i++) {
        places[i] = add_session(11 + i, "2001:db8::1");
    }
    assert_null(sessions_find_free_place(&sessions));
    assert_ptr_equal(sessions_find_by_pid(&sessions, 13), places[2]);
    assert_ptr_equal(sessions_find_by_conn(&sessions, 113), places[2]);
    sessions_remove(&sessions, places[2]);
    assert_ptr_equal(sessions_find_free_place(&sessions), places[2]);
    assert_null(sessions_find_by_pid(&sessions, 13));
    assert_null(sessions_find_by_conn(&sessions, 0)); /* no session has the connection number 0 */
}

#define WITH_ROOM(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, set_up_session_list, tear_down_session_list)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_ROOM(a_signed_in_session_no_longer_counts_as_unauthenticated),
        WITH_ROOM(sessions_are_counted_for_a_source_and_for_its_network),
        WITH_ROOM(an_ended_session_frees_its_place_in_the_session_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
