#include "daemon/base/base.h"
#include "daemon/processes/bridge/bridge.h"
#include "nodes_fixture.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/unit.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Two bridges carry the gate, the workers and the sessions of node 2 to the core of node 1. */

#define REKEY_BYTES ((uint64_t)1 << 30)
#define SHORT_MS 1500 /* time in which something that must not happen would have happened */

static struct node first;
static struct node second;
static const struct node *const both[] = {&first, &second};

/* Tells both nodes who holds the house. */
static void tell_holder(unsigned holder)
{
    node_tell(&first, holder, both, 2);
    node_tell(&second, holder, both, 2);
}

static int open_nodes(void **state)
{
    (void)state;
    node_open(&first, 1, REKEY_BYTES);
    node_open(&second, 2, REKEY_BYTES);
    return 0;
}

static int close_nodes(void **state)
{
    (void)state;
    node_close(&second);
    node_close(&first);
    return 0;
}

/* A session of node 2, and the core's end of its socket in node 1. */
struct carried {
    struct node_session session;
    int core_end;
    int gate; /* the core's end of the gate's socket, if hand_over_again has made it; -1 if not */
};

static struct carried carry_session(int gate, int number)
{
    struct carried carried = {.session = node_make_session(&second, number), .gate = -1};
    node_hand_over(&second, &carried.session);
    carried.core_end = node_expect_session(gate, &carried.session);
    return carried;
}

static struct carried make_session_to_carry(void)
{
    return (struct carried){.session = node_make_session(&second, 1), .core_end = -1, .gate = -1};
}

static void drop_session(struct carried *carried)
{
    fd_close_and_reset(&carried->gate);
    fd_close_and_reset(&carried->core_end);
    fd_close_pair(carried->session.ends);
}

static void expect_both_ways(const struct carried *carried, uint32_t n)
{
    node_send_packet(carried->session.ends[1], n, 100);
    node_expect_packet(carried->core_end, n, 100);
    node_send_packet(carried->core_end, n, 200);
    node_expect_packet(carried->session.ends[1], n, 200);
}

static size_t choose_len(uint32_t n)
{
    return n % 10 == 0 ? PACKET_MAX : 4 + (n * 7919) % 3000;
}

static void packets_pass_in_order_in_both_directions(void **state)
{
    (void)state;
    tell_holder(1);
    int gate = node_attach_gate(&first, &second);
    struct carried carried = carry_session(gate, 1);
    for (uint32_t n = 0; n < 300; n++) {
        node_send_packet(carried.session.ends[1], n, choose_len(n));
        node_expect_packet(carried.core_end, n, choose_len(n));
        node_send_packet(carried.core_end, n, choose_len(n + 3));
        node_expect_packet(carried.session.ends[1], n, choose_len(n + 3));
    }
    for (uint32_t n = 0; n < 30; n++) { /* more than one packet is under way */
        node_send_packet(carried.session.ends[1], n, n % 5 == 0 ? PACKET_MAX / 2 : 50);
        if (n % 3 == 2) {
            for (uint32_t i = n - 2; i <= n; i++) {
                node_expect_packet(carried.core_end, i, i % 5 == 0 ? PACKET_MAX / 2 : 50);
            }
        }
    }
    drop_session(&carried);
    close(gate);
}

static void workers_of_the_other_node_work_for_the_core(void **state)
{
    int worker;
    (void)state;
    tell_holder(1);
    int gate = node_attach_gate(&first, &second);
    json_t *message = node_expect(first.core[0], "worker", &worker);
    assert_string_equal(json_string_value(json_object_get(message, "kind")), "auth");
    assert_int_equal(json_integer_value(json_object_get(message, "node")), 2);
    json_decref(message);
    node_send_packet(worker, 5, 500);
    node_expect_packet(second.auth[1], 5, 500);
    node_send_packet(second.auth[1], 6, 600);
    node_expect_packet(worker, 6, 600);
    close(worker);
    close(gate);
}

/* Sends as many packets of the greatest size as pass while nobody reads; returns their number. */
static uint32_t send_until_full(int socket)
{
    static char packet[PACKET_MAX];
    struct pollfd wanted = {.fd = socket, .events = POLLOUT};
    uint32_t count = 0;
    while (poll(&wanted, 1, SHORT_MS) == 1) {
        enum packet_result result;
        memset(packet, 'x', sizeof packet);
        memcpy(packet, &count, sizeof count);
        while ((result = packet_send(socket, packet, sizeof packet, -1)) == PACKET_OK) {
            count++;
            memcpy(packet, &count, sizeof count);
        }
        assert_int_equal(result, PACKET_AGAIN);
        assert_true(count < 10000);
    }
    return count;
}

static void a_session_that_does_not_read_holds_up_no_other(void **state)
{
    static char packet[PACKET_MAX];
    (void)state;
    tell_holder(1);
    int gate = node_attach_gate(&first, &second);
    struct carried slow = carry_session(gate, 1);
    struct carried other = carry_session(gate, 2);
    uint32_t sent = send_until_full(slow.core_end);
    /* two sockets and two windows: in no bridge, more than a window waits */
    assert_in_range(sent, 2, 4 * 4 + 2 * 2 + 4);
    for (uint32_t n = 0; n < 20; n++) {
        expect_both_ways(&other, n);
    }
    for (uint32_t n = 0; n < sent; n++) { /* nothing was lost */
        struct pollfd wanted = {.fd = slow.session.ends[1], .events = POLLIN};
        size_t len;
        uint32_t found;
        assert_int_equal(poll(&wanted, 1, FIXTURE_DEADLINE_MS), 1);
        assert_int_equal(packet_receive(slow.session.ends[1], packet, &len, NULL), PACKET_OK);
        memcpy(&found, packet, sizeof found);
        assert_int_equal(found, n);
    }
    expect_both_ways(&slow, 1);
    drop_session(&slow);
    drop_session(&other);
    close(gate);
}

static void a_connection_survives_new_session_keys(void **state)
{
    (void)state;
    node_kill_bridge(&first);
    node_start_bridge(&first, 1 << 20);
    tell_holder(1);
    int gate = node_attach_gate(&first, &second);
    struct carried carried = carry_session(gate, 1);
    for (uint32_t n = 0; n < 200; n++) {
        node_send_packet(carried.session.ends[1], n, PACKET_MAX);
        node_send_packet(carried.core_end, n, PACKET_MAX);
        node_expect_packet(carried.core_end, n, PACKET_MAX);
        node_expect_packet(carried.session.ends[1], n, PACKET_MAX);
    }
    drop_session(&carried);
    close(gate);
}

static void the_core_learns_that_a_session_has_ended(void **state)
{
    (void)state;
    tell_holder(1);
    int gate = node_attach_gate(&first, &second);
    struct carried carried = carry_session(gate, 1);
    node_send_packet(carried.session.ends[1], 9, 90);
    fd_close_and_reset(&carried.session.ends[1]);
    node_expect_packet(carried.core_end, 9, 90);
    peer_expect_closed(carried.core_end);
    json_t *gone = node_expect(first.core[0], "gone", NULL);
    assert_int_equal(json_integer_value(json_object_get(gone, "conn")), carried.session.conn);
    json_decref(gone);
    drop_session(&carried);
    close(gate);
}

static void a_session_that_the_core_ends_gets_all_packets_before(void **state)
{
    (void)state;
    tell_holder(1);
    int gate = node_attach_gate(&first, &second);
    struct carried carried = carry_session(gate, 1);
    for (uint32_t n = 0; n < 3; n++) {
        node_send_packet(carried.core_end, n, PACKET_MAX);
    }
    fd_close_and_reset(&carried.core_end);
    fd_close_and_reset(&carried.session.ends[0]); /* the gate does that when it is told to drop */
    for (uint32_t n = 0; n < 3; n++) {
        node_expect_packet(carried.session.ends[1], n, PACKET_MAX);
    }
    peer_expect_closed(carried.session.ends[1]);
    node_expect_none(first.core[0], "gone", SHORT_MS / 3);
    drop_session(&carried);
    close(gate);
}

static void a_session_with_a_number_of_another_node_is_not_carried(void **state)
{
    (void)state;
    tell_holder(1);
    int gate = node_attach_gate(&first, &second);
    struct node_session stray = node_make_session(&first, 1);
    node_hand_over(&second, &stray);
    struct carried carried = carry_session(gate, 1); /* the next that comes is this one */
    expect_both_ways(&carried, 1);
    fd_close_pair(stray.ends);
    drop_session(&carried);
    close(gate);
}

/* Returns how many of the connections the bridge has not closed. */
static int count_open(int *sockets, int count, int wait_ms)
{
    int left = 0;
    int64_t deadline_ms = clock_steady_ms() + wait_ms;
    for (int i = 0; i < count; i++) {
        char bytes[256];
        ssize_t got = 1;
        while (got > 0) {
            int64_t left_ms = deadline_ms - clock_steady_ms();
            struct pollfd wanted = {.fd = sockets[i], .events = POLLIN};
            if (poll(&wanted, 1, left_ms > 0 ? (int)left_ms : 0) != 1) {
                left++;
                break;
            }
            got = read(sockets[i], bytes, sizeof bytes);
        }
    }
    return left;
}

static void connections_that_do_not_sign_in_are_few_and_end_soon(void **state)
{
    enum {
        TRIES = 40,
        MOST = 16
    };
    int sockets[TRIES];
    (void)state;
    node_tell(&first, 1, both, 2);
    for (int i = 0; i < TRIES; i++) {
        sockets[i] = node_connect(&first);
    }
    assert_int_equal(count_open(sockets, TRIES, SHORT_MS), MOST);
    assert_int_equal(count_open(sockets, TRIES, 15000), 0);
    for (int i = 0; i < TRIES; i++) {
        close(sockets[i]);
    }
    node_tell(&second, 1, both, 2);
    close(node_attach_gate(&first, &second));
}

static void a_bridge_refuses_the_wrong_key_of_the_other(void **state)
{
    const char *right = first.key.public_text;
    (void)state;
    first.key_told = second.key.public_text; /* node 2 expects another key of node 1 */
    node_tell(&second, 1, both, 2);
    first.key_told = right;
    node_tell(&first, 1, both, 2);
    node_expect_none(first.core[0], "gate", SHORT_MS);
    node_tell(&second, 1, both, 2);
    close(node_attach_gate(&first, &second));
}

static void a_node_with_the_wrong_key_gets_nothing(void **state)
{
    (void)state;
    second.key_told = first.key.public_text; /* node 1 expects another key of node 2 */
    node_tell(&first, 1, both, 2);
    second.key_told = second.key.public_text;
    node_tell(&second, 1, both, 2);
    node_expect_none(first.core[0], "gate", SHORT_MS);
    node_tell(&first, 1, both, 2);
    close(node_attach_gate(&first, &second));
}

static void a_node_that_is_not_in_the_list_gets_nothing(void **state)
{
    (void)state;
    node_tell(&first, 1, both, 1);
    node_tell(&second, 1, both, 2);
    node_expect_none(first.core[0], "gate", SHORT_MS);
}

static void a_node_that_leaves_the_list_is_disconnected(void **state)
{
    (void)state;
    tell_holder(1);
    int gate = node_attach_gate(&first, &second);
    node_tell(&first, 1, both, 1);
    peer_expect_closed(gate);
    node_expect_none(first.core[0], "gate", SHORT_MS);
    close(gate);
}

/* Hands the session over to the core of `holder`, as its gate does for every new core. */
static void hand_over_again(struct carried *carried, const struct node *holder)
{
    fd_close_and_reset(&carried->gate);
    carried->gate = node_attach_gate(holder, &second);
    fd_close_and_reset(&carried->core_end);
    node_hand_over(&second, &carried->session);
    carried->core_end = node_expect_session(carried->gate, &carried->session);
    expect_both_ways(carried, 77);
}

static void a_session_survives_every_change_of_the_holder(void **state)
{
    (void)state;
    struct carried carried = make_session_to_carry();
    tell_holder(1);
    hand_over_again(&carried, &first);
    tell_holder(2); /* the session's own core reads its socket now */
    peer_expect_closed(carried.core_end);
    node_send_packet(carried.session.ends[1], 3, 30);
    node_expect_packet(carried.session.ends[0], 3, 30);
    node_send_packet(second.gate[1], 4, 40);
    node_expect_packet(second.gate[0], 4, 40);
    tell_holder(0); /* nobody reads */
    node_send_packet(carried.session.ends[1], 5, 50);
    node_send_packet(second.gate[1], 6, 60);
    node_expect_packet(carried.session.ends[0], 5, 50);
    node_expect_packet(second.gate[0], 6, 60);
    tell_holder(1);
    hand_over_again(&carried, &first);
    drop_session(&carried);
}

static void a_session_survives_the_end_of_the_bridge_of_its_node(void **state)
{
    (void)state;
    struct carried carried = make_session_to_carry();
    tell_holder(1);
    hand_over_again(&carried, &first);
    node_kill_bridge(&second);
    peer_expect_closed(carried.core_end);
    node_expect_none(first.core[0], "gone", SHORT_MS / 3);
    node_start_bridge(&second, REKEY_BYTES);
    json_decref(node_expect(second.core[0], "hello", NULL));
    node_tell(&second, 1, both, 2);
    hand_over_again(&carried, &first);
    drop_session(&carried);
}

static void a_session_survives_the_end_of_the_bridge_of_the_house(void **state)
{
    (void)state;
    struct carried carried = make_session_to_carry();
    tell_holder(1);
    hand_over_again(&carried, &first);
    node_kill_bridge(&first);
    peer_expect_closed(carried.core_end);
    node_start_bridge(&first, REKEY_BYTES);
    json_decref(node_expect(first.core[0], "hello", NULL));
    node_tell(&first, 1, both, 2);
    hand_over_again(&carried, &first);
    drop_session(&carried);
}

/* The core of node 1 ends. */
static void end_core(struct carried *carried)
{
    fd_close_and_reset(&carried->core_end);
    fd_close_and_reset(&carried->gate);
}

/* Another core of node 1 begins, which does not hold the house yet. */
static void begin_core(void)
{
    peer_send(first.core[0], json_pack("{s:s}", "t", "resync"));
    json_decref(node_expect(first.core[0], "hello", NULL));
}

static void a_session_survives_the_end_of_the_core(void **state)
{
    (void)state;
    struct carried carried = make_session_to_carry();
    tell_holder(1);
    hand_over_again(&carried, &first);
    for (int i = 0; i < 3; i++) {
        end_core(&carried);
        begin_core();
        node_tell(&first, 1, both, 2);
        hand_over_again(&carried, &first);
    }
    drop_session(&carried);
}

static void the_bridges_stay_connected_while_no_core_is_open(void **state)
{
    (void)state;
    struct carried carried = make_session_to_carry();
    tell_holder(1);
    hand_over_again(&carried, &first);
    end_core(&carried);
    begin_core();
    node_expect_none(first.core[0], "gate", SHORT_MS);
    node_tell(&first, 1, both, 2);
    hand_over_again(&carried, &first);
    assert_int_equal(node_count_logged(&first, "cut"), 0);
    assert_int_equal(node_count_logged(&second, "cut"), 0);
    assert_int_equal(node_count_logged(&first, "serve"), 1);
    drop_session(&carried);
}

static void a_core_that_refuses_sockets_is_offered_them_again_after_growing_pauses(void **state)
{
    unsigned offers = 0;
    (void)state;
    tell_holder(1);
    int64_t begun_ms = clock_steady_ms();
    while (clock_steady_ms() - begun_ms < 2 * SHORT_MS) {
        int fd;
        json_decref(node_expect(first.core[0], "gate", &fd));
        close(fd);
        offers++;
    }
    assert_in_range(offers, 3, 7);
    assert_int_equal(node_count_logged(&second, "cut"), 0);
    close(node_attach_gate(&first, &second));
}

static void tries_to_reach_a_node_that_does_not_hold_the_house_are_logged_once(void **state)
{
    (void)state;
    node_tell(&first, 0, both, 2);
    node_tell(&second, 1, both, 2);
    node_expect_none(first.core[0], "gate", 2 * SHORT_MS);
    assert_int_equal(node_count_logged(&second, "cut"), 1);
    node_tell(&first, 1, both, 2);
    close(node_attach_gate(&first, &second));
    node_kill_bridge(&first); /* the next change is logged again */
    node_expect_none(second.core[0], "gate", SHORT_MS / 3);
    assert_int_equal(node_count_logged(&second, "cut"), 2);
}

static void a_silent_bridge_is_dropped_and_connected_anew(void **state)
{
    (void)state;
    struct carried carried = make_session_to_carry();
    tell_holder(1);
    hand_over_again(&carried, &first);
    kill(second.bridge, SIGSTOP);
    int64_t begun_ms = clock_steady_ms();
    peer_expect_closed(carried.core_end);
    assert_in_range(clock_steady_ms() - begun_ms, 3000, 9000);
    kill(second.bridge, SIGCONT);
    hand_over_again(&carried, &first);
    drop_session(&carried);
}

static void a_session_survives_a_cut_between_the_bridges(void **state)
{
    (void)state;
    struct carried carried = make_session_to_carry();
    pid_t relay = node_start_relay(&first);
    tell_holder(1);
    hand_over_again(&carried, &first);
    node_end_relay(relay);
    peer_expect_closed(carried.core_end);
    node_expect_none(first.core[0], "gone", SHORT_MS / 3);
    peer_send(second.gate[1], json_pack("{s:s}", "t", "stray")); /* for the earlier core */
    relay = node_start_relay(&first);
    node_tell(&second, 1, both, 2);
    hand_over_again(&carried, &first);
    drop_session(&carried);
    node_end_relay(relay);
}

static void expect_reached(int nodes, bool is_cut_off)
{
    json_t *reached = node_expect(first.core[0], "reached", NULL);
    assert_int_equal(json_integer_value(json_object_get(reached, "nodes")), nodes);
    assert_int_equal(json_is_true(json_object_get(reached, "is_cut_off")), is_cut_off);
    json_decref(reached);
}

static void a_node_that_fewer_than_half_reach_asks_once_to_leave_the_house(void **state)
{
    struct node third;
    const struct node *const all[] = {&first, &second, &third};
    (void)state;
    node_open(&third, 3, REKEY_BYTES);
    node_tell(&first, 1, all, 3);
    expect_reached(0, false);
    int64_t begun_ms = clock_steady_ms();
    expect_reached(0, true);
    assert_in_range(clock_steady_ms() - begun_ms, BRIDGE_HOME_ALONE_MS - 500,
                    BRIDGE_HOME_ALONE_MS + 3000);
    node_tell(&second, 1, all, 3);
    expect_reached(1, false);
    node_kill_bridge(&second);
    expect_reached(0, false);
    node_tell(&first, 2, all, 3);
    node_tell(&first, 1, all, 3); /* no other node was better off */
    expect_reached(0, false);
    node_expect_none(first.core[0], "reached", BRIDGE_HOME_ALONE_MS + SHORT_MS);
    assert_int_equal(node_count_logged(&first, "alone"), 1);
    node_close(&third);
}

static void one_of_two_living_nodes_keeps_the_house(void **state)
{
    struct node third;
    const struct node *const all[] = {&first, &second, &third};
    (void)state;
    node_open(&third, 3, REKEY_BYTES);
    third.is_dead = true;
    node_tell(&first, 1, all, 3);
    expect_reached(0, false);
    node_expect_none(first.core[0], "reached", BRIDGE_HOME_ALONE_MS + SHORT_MS);
    node_close(&third);
}

static void the_key_of_the_answers_reaches_the_other_nodes(void **state)
{
    static const char key[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    (void)state;
    peer_send(first.core[0], json_pack("{s:s, s:s}", "t", "answers_key", "key", key));
    tell_holder(1);
    json_t *told = node_expect(second.core[0], "answers_key", NULL);
    assert_string_equal(json_string_value(json_object_get(told, "key")), key);
    json_decref(told);
    peer_send(second.core[0], json_pack("{s:s}", "t", "resync")); /* a new core learns it, too */
    json_decref(node_expect(second.core[0], "hello", NULL));
    node_tell(&second, 1, both, 2);
    told = node_expect(second.core[0], "answers_key", NULL);
    assert_string_equal(json_string_value(json_object_get(told, "key")), key);
    json_decref(told);
}

#define WITH_NODES(test) cmocka_unit_test_setup_teardown(test, open_nodes, close_nodes)

TEST_GROUP(bridge)
{
    const struct CMUnitTest tests[] = {
        WITH_NODES(packets_pass_in_order_in_both_directions),
        WITH_NODES(workers_of_the_other_node_work_for_the_core),
        WITH_NODES(a_session_that_does_not_read_holds_up_no_other),
        WITH_NODES(a_connection_survives_new_session_keys),
        WITH_NODES(the_core_learns_that_a_session_has_ended),
        WITH_NODES(a_session_that_the_core_ends_gets_all_packets_before),
        WITH_NODES(a_session_with_a_number_of_another_node_is_not_carried),
        WITH_NODES(connections_that_do_not_sign_in_are_few_and_end_soon),
        WITH_NODES(a_bridge_refuses_the_wrong_key_of_the_other),
        WITH_NODES(a_node_with_the_wrong_key_gets_nothing),
        WITH_NODES(a_node_that_is_not_in_the_list_gets_nothing),
        WITH_NODES(a_node_that_leaves_the_list_is_disconnected),
        WITH_NODES(a_session_survives_every_change_of_the_holder),
        WITH_NODES(a_session_survives_the_end_of_the_bridge_of_its_node),
        WITH_NODES(a_session_survives_the_end_of_the_bridge_of_the_house),
        WITH_NODES(a_session_survives_the_end_of_the_core),
        WITH_NODES(the_bridges_stay_connected_while_no_core_is_open),
        WITH_NODES(a_core_that_refuses_sockets_is_offered_them_again_after_growing_pauses),
        WITH_NODES(tries_to_reach_a_node_that_does_not_hold_the_house_are_logged_once),
        WITH_NODES(a_session_survives_a_cut_between_the_bridges),
        WITH_NODES(a_silent_bridge_is_dropped_and_connected_anew),
        WITH_NODES(a_node_that_fewer_than_half_reach_asks_once_to_leave_the_house),
        WITH_NODES(one_of_two_living_nodes_keeps_the_house),
        WITH_NODES(the_key_of_the_answers_reaches_the_other_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
