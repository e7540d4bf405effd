#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "tests/unit.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    UNSENT_MAX = 4 * PACKET_MAX
};

/* A link and the socket of its peer. */
struct fixture {
    struct event_base *base;
    struct links links;
    struct link *link;
    int peer;
    char buffer[PACKET_MAX];
};

static void ignore_input(int socket, short events, void *link)
{
    (void)socket;
    (void)events;
    (void)link;
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    int ends[2];
    if (fixture == NULL || packet_make_socket_pair(ends) != 0) {
        return -1;
    }
    fixture->base = event_base_new();
    fixture->links.unsent_max = UNSENT_MAX;
    fixture->link =
        link_new(&fixture->links, fixture->base, ends[0], 1, PEER_SESSION, ignore_input);
    fixture->peer = ends[1];
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    link_free(fixture->link);
    event_base_free(fixture->base);
    close(fixture->peer);
    free(fixture);
    return 0;
}

static void gather(struct fixture *fixture, const char *packet)
{
    link_gather(fixture->link, packet, strlen(packet));
}

static void expect_packet(struct fixture *fixture, const char *expected)
{
    size_t len = 0;
    assert_int_equal(packet_receive(fixture->peer, fixture->buffer, &len, NULL), PACKET_OK);
    assert_int_equal(len, strlen(expected));
    assert_memory_equal(fixture->buffer, expected, len);
}

static void expect_no_packet(struct fixture *fixture)
{
    size_t len = 0;
    assert_int_equal(packet_receive(fixture->peer, fixture->buffer, &len, NULL), PACKET_AGAIN);
}

static void gathered_packets_are_sent_together_and_in_order(void **state)
{
    struct fixture *fixture = *state;
    gather(fixture, "a");
    gather(fixture, "b");
    expect_no_packet(fixture);
    links_send_gathered(&fixture->links);
    expect_packet(fixture, "a");
    expect_packet(fixture, "b");
    expect_no_packet(fixture);
    gather(fixture, "c");
    links_send_gathered(&fixture->links);
    expect_packet(fixture, "c");
}

static void a_packet_that_is_sent_does_not_overtake_gathered_ones(void **state)
{
    struct fixture *fixture = *state;
    gather(fixture, "a");
    link_send(fixture->link, "b", 1);
    expect_packet(fixture, "a");
    expect_packet(fixture, "b");
    links_send_gathered(&fixture->links);
    expect_no_packet(fixture);
}

/* The queue alone has no room for them, but the socket takes some. */
static void more_is_gathered_than_the_queue_has_room_for(void **state)
{
    struct fixture *fixture = *state;
    static char packet[PACKET_MAX - sizeof(size_t)];
    memset(packet, 'x', sizeof packet);
    for (int i = 0; i < UNSENT_MAX / PACKET_MAX + 1; i++) {
        link_gather(fixture->link, packet, sizeof packet);
    }
    assert_false(fixture->link->is_lost);
}

static void a_peer_that_reads_nothing_loses_what_is_gathered(void **state)
{
    struct fixture *fixture = *state;
    static char packet[PACKET_MAX];
    memset(packet, 'x', sizeof packet);
    for (int i = 0; i < 100 && !fixture->link->is_lost; i++) {
        link_gather(fixture->link, packet, sizeof packet);
    }
    assert_true(fixture->link->is_lost);
    assert_ptr_equal(link_take_next_marked(&fixture->links), fixture->link);
    links_send_gathered(&fixture->links);
}

static void a_link_may_end_with_gathered_packets(void **state)
{
    struct fixture *fixture = *state;
    int ends[2];
    assert_int_equal(packet_make_socket_pair(ends), 0);
    struct link *other =
        link_new(&fixture->links, fixture->base, ends[0], 2, PEER_SESSION, ignore_input);
    link_gather(other, "a", 1);
    gather(fixture, "b");
    link_free(other);
    links_send_gathered(&fixture->links);
    expect_packet(fixture, "b");
    close(ends[1]);
}

TEST_GROUP(core_link)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gathered_packets_are_sent_together_and_in_order, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_packet_that_is_sent_does_not_overtake_gathered_ones,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(more_is_gathered_than_the_queue_has_room_for, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_peer_that_reads_nothing_loses_what_is_gathered, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_link_may_end_with_gathered_packets, setup, teardown),
    };
    return cmocka_run_group_tests_name("the core's links", tests, NULL, NULL);
}
