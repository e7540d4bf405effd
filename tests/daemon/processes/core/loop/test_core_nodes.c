#include "daemon/base/base.h"
#include "daemon/processes/core/core.h"
#include "tests/daemon/fixtures/core_fixture.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/lobby/sentence_check.h"
#include "tests/unit.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The core's loop with a gate, a worker and sessions of node 2, whose sockets the bridge makes. The
 * test plays the bridge and the own gate. */

#define SHORT_MS 500 /* time in which something that must not happen would have happened */
#define CONN_OF_NODE(node, number) (((json_int_t)(node) << 48) + (number))

static struct core_fixture house;

static bool house_has_two_nodes;

/* Takes the place of what tells the core the nodes of the house. The other tests of the program
 * have a house of one node. */
void __real_core_bridge_tell_nodes(struct core_bridge *bridge, int self, int holder,
                                   const struct cluster_node *nodes, size_t count);
void __wrap_core_bridge_tell_nodes(struct core_bridge *bridge, int self, int holder,
                                   const struct cluster_node *nodes, size_t count);

void __wrap_core_bridge_tell_nodes(struct core_bridge *bridge, int self, int holder,
                                   const struct cluster_node *nodes, size_t count)
{
    static const struct cluster_node both[] = {
        {.node = 1, .is_alive = true, .address = "192.0.2.1:4022", .key = "ssh-ed25519 AAAA"},
        {.node = 2, .is_alive = true, .address = "192.0.2.2:4022", .key = "ssh-ed25519 BBBB"}};
    if (house_has_two_nodes) {
        __real_core_bridge_tell_nodes(bridge, self, holder, both, 2);
    } else {
        __real_core_bridge_tell_nodes(bridge, self, holder, nodes, count);
    }
}

struct other_session {
    json_int_t conn;
    int end;
};

static void send_to_core(const char *type, int node, const char *kind, int fd)
{
    json_t *message = json_pack("{s:s, s:i}", "t", type, "node", node);
    if (kind != NULL) {
        json_object_set_new(message, "kind", json_string(kind));
    }
    peer_send_with_descriptor(house.bridge[1], message, fd);
    close(fd);
}

/* Connects the gate of node 2, which greets the core. */
static int connect_gate(void)
{
    int ends[2];
    assert_int_equal(packet_make_socket_pair(ends), 0);
    send_to_core("gate", 2, NULL, ends[0]);
    core_fixture_greet_core(ends[1]);
    return ends[1];
}

/* Hands a session over through the gate; returns the session's end. */
static struct other_session hand_over(int gate, json_int_t conn)
{
    int ends[2];
    assert_int_equal(packet_make_socket_pair(ends), 0);
    peer_send_with_descriptor(gate,
                              json_pack("{s:s, s:I, s:s, s:s}", "t", "connection", "conn", conn,
                                        "address", "192.0.2.7", "transport", "ssh"),
                              ends[0]);
    close(ends[0]);
    json_decref(peer_expect_message(gate, "connection"));
    return (struct other_session){conn, ends[1]};
}

/* The core takes the session for one of an earlier core. */
static void expect_resync_and_greet(const struct other_session *session)
{
    core_fixture_greet_core(session->end);
}

static void end_hand_over(int gate)
{
    peer_send(gate, json_pack("{s:s}", "t", "connections_end"));
}

static bool has_message(int socket)
{
    struct pollfd wanted = {.fd = socket, .events = POLLIN};
    return poll(&wanted, 1, SHORT_MS) == 1;
}

static void expect_that_session_left(json_int_t conn)
{
    json_int_t left_conn = 0;
    while (left_conn != conn) { /* others that leave are gates */
        json_t *left = peer_expect_message(house.gate[1], "left");
        left_conn = json_integer_value(json_object_get(left, "conn"));
        json_decref(left);
    }
}

static void expect_echo(const struct other_session *session, int n)
{
    peer_send(session->end, json_pack("{s:s, s:i}", "t", "echo", "n", n));
    json_t *echo = peer_expect_message(session->end, "echo");
    assert_int_equal(json_integer_value(json_object_get(echo, "n")), n);
    json_decref(echo);
}

static int open_house(void **state)
{
    (void)state;
    core_fixture_init(&house, ":memory:");
    core_fixture_add_bridge(&house);
    core_fixture_start(&house);
    core_fixture_greet_core(house.gate[1]);
    return 0;
}

static int close_house(void **state)
{
    (void)state;
    core_fixture_clear(&house);
    return 0;
}

static void the_core_tells_the_bridge_the_nodes_and_the_key(void **state)
{
    (void)state;
    json_t *key = peer_expect_message(house.bridge[1], "answers_key");
    assert_int_equal(json_string_length(json_object_get(key, "key")), 64);
    json_decref(key);
    peer_send(house.bridge[1], json_pack("{s:s}", "t", "hello")); /* another bridge */
    json_t *nodes = peer_expect_message(house.bridge[1], "nodes");
    assert_int_equal(json_integer_value(json_object_get(nodes, "self")), 1);
    assert_int_equal(json_integer_value(json_object_get(nodes, "holder")), 1);
    assert_int_equal(json_array_size(json_object_get(nodes, "nodes")), 2);
    json_decref(nodes);
}

static void a_session_of_another_node_is_served(void **state)
{
    (void)state;
    int gate = connect_gate();
    end_hand_over(gate);
    struct other_session session = hand_over(gate, CONN_OF_NODE(2, 5000));
    peer_send(session.end, core_fixture_make_hello_message());
    json_t *welcome = peer_expect_message(session.end, "welcome");
    assert_int_equal(json_integer_value(json_object_get(welcome, "conn")), session.conn);
    json_decref(welcome);
    expect_echo(&session, 1);
    peer_send(session.end, json_pack("{s:s}", "t", "bye")); /* and is dropped by its own gate */
    json_t *drop = peer_expect_message(gate, "drop");
    assert_int_equal(json_integer_value(json_object_get(drop, "conn")), session.conn);
    json_decref(drop);
    close(session.end);
    close(gate);
}

static void a_worker_of_another_node_is_greeted(void **state)
{
    int ends[2];
    (void)state;
    close(connect_gate());
    assert_int_equal(packet_make_socket_pair(ends), 0);
    send_to_core("worker", 2, "auth", ends[0]);
    core_fixture_greet_core(ends[1]);
    close(ends[1]);
}

static void a_node_cannot_hand_over_a_session_of_another(void **state)
{
    int ends[2];
    (void)state;
    int gate = connect_gate();
    assert_int_equal(packet_make_socket_pair(ends), 0);
    peer_send_with_descriptor(gate,
                              json_pack("{s:s, s:I, s:s, s:s}", "t", "connection", "conn",
                                        CONN_OF_NODE(3, 5000), "address", "192.0.2.7", "transport",
                                        "ssh"),
                              ends[0]);
    close(ends[0]);
    struct pollfd wanted = {.fd = ends[1], .events = POLLIN};
    char packet[PACKET_MAX];
    size_t len;
    assert_int_equal(poll(&wanted, 1, FIXTURE_DEADLINE_MS), 1); /* closed, without a resync */
    assert_int_equal(packet_receive(ends[1], packet, &len, NULL), PACKET_CLOSED);
    close(ends[1]);
    close(gate);
}

/* Hands a session of node 2 over, and then loses the connection to that node. Returns the number of
 * the session. */
static int64_t lose_node_with_a_session(void)
{
    int gate = connect_gate();
    struct other_session session = hand_over(gate, CONN_OF_NODE(2, 5000));
    expect_resync_and_greet(&session);
    end_hand_over(gate);
    close(session.end);
    close(gate);
    return session.conn;
}

static void a_session_stays_while_its_node_is_lost(void **state)
{
    (void)state;
    int64_t conn = lose_node_with_a_session();
    json_t *left = peer_expect_message(house.gate[1], "left"); /* the gate, not the session */
    assert_true(json_integer_value(json_object_get(left, "conn")) > conn);
    json_decref(left);
    int gate = connect_gate();
    struct other_session session = hand_over(gate, conn);
    expect_resync_and_greet(&session);
    end_hand_over(gate);
    expect_echo(&session, 2);
    while (has_message(house.gate[1])) { /* the house was not told that the session has left */
        json_t *message = peer_expect_any_message(house.gate[1]);
        assert_true(json_integer_value(json_object_get(message, "conn")) != conn);
        json_decref(message);
    }
    close(session.end);
    close(gate);
}

static void a_session_stays_if_its_node_connects_again_before_the_loss_is_noticed(void **state)
{
    (void)state;
    int former = connect_gate();
    struct other_session before = hand_over(former, CONN_OF_NODE(2, 5000));
    expect_resync_and_greet(&before);
    end_hand_over(former);
    int gate = connect_gate();
    peer_expect_closed(before.end);
    peer_expect_closed(former);
    struct other_session session = hand_over(gate, before.conn);
    expect_resync_and_greet(&session);
    expect_echo(&session, 3);
    close(before.end);
    close(former);
    close(session.end);
    close(gate);
}

static void a_session_that_has_ended_leaves_the_house_at_once(void **state)
{
    (void)state;
    int gate = connect_gate();
    for (int i = 0; i < 2; i++) { /* the two messages may be noticed in either order */
        struct other_session session = hand_over(gate, CONN_OF_NODE(2, 5000 + i));
        json_t *gone = json_pack("{s:s, s:I}", "t", "gone", "conn", session.conn);
        expect_resync_and_greet(&session);
        if (i == 0) {
            close(session.end);
            assert_false(has_message(gate)); /* by now, the core has noticed that */
        }
        peer_send(house.bridge[1], gone);
        if (i == 1) {
            close(session.end);
        }
        expect_that_session_left(session.conn);
    }
    close(gate);
}

static void a_session_that_is_not_handed_over_again_leaves_the_house(void **state)
{
    (void)state;
    int64_t conn = lose_node_with_a_session();
    int gate = connect_gate();
    end_hand_over(gate);
    expect_that_session_left(conn);
    close(gate);
}

static void a_core_that_closes_says_goodbye_only_to_its_own_node(void **state)
{
    (void)state;
    struct core_session own = core_fixture_connect_session(&house, 1000);
    int gate = connect_gate();
    struct other_session other = hand_over(gate, CONN_OF_NODE(2, 5000));
    json_decref(peer_expect_message(house.gate[1], "connection"));
    kill(house.core, SIGTERM);
    json_t *bye = peer_expect_message(own.ends[1], "bye");
    sentence_check_message(bye);
    json_decref(bye);
    struct pollfd wanted = {.fd = other.end, .events = POLLIN};
    for (;;) { /* reads until the core has closed its end */
        char packet[PACKET_MAX];
        size_t len;
        assert_int_equal(poll(&wanted, 1, FIXTURE_DEADLINE_MS), 1);
        if (packet_receive(other.end, packet, &len, NULL) != PACKET_OK) {
            break;
        }
        assert_null(memmem(packet, len, "bye", 3));
    }
    assert_int_equal(peer_wait_for_exit(house.core), 0);
    house.core = 0;
    core_fixture_close_session(&own);
    close(other.end);
    close(gate);
}

static void the_house_forgets_nobody_before_all_gates_have_handed_over(void **state)
{
    (void)state;
    end_hand_over(house.gate[1]);
    assert_false(has_message(house.gate[1])); /* the fake house would answer */
    int gate = connect_gate();
    end_hand_over(gate);
    json_decref(peer_expect_message(house.gate[1], "connections_end"));
    end_hand_over(house.gate[1]); /* from now on, the own gate counts at once */
    json_decref(peer_expect_message(house.gate[1], "connections_end"));
    close(gate);
}

#define IN_A_HOUSE(test) cmocka_unit_test_setup_teardown(test, open_house, close_house)

TEST_GROUP(core_nodes)
{
    house_has_two_nodes = true;
    const struct CMUnitTest tests[] = {
        IN_A_HOUSE(the_core_tells_the_bridge_the_nodes_and_the_key),
        IN_A_HOUSE(a_session_of_another_node_is_served),
        IN_A_HOUSE(a_worker_of_another_node_is_greeted),
        IN_A_HOUSE(a_node_cannot_hand_over_a_session_of_another),
        IN_A_HOUSE(a_session_stays_while_its_node_is_lost),
        IN_A_HOUSE(a_session_stays_if_its_node_connects_again_before_the_loss_is_noticed),
        IN_A_HOUSE(a_session_that_has_ended_leaves_the_house_at_once),
        IN_A_HOUSE(a_session_that_is_not_handed_over_again_leaves_the_house),
        IN_A_HOUSE(a_core_that_closes_says_goodbye_only_to_its_own_node),
        IN_A_HOUSE(the_house_forgets_nobody_before_all_gates_have_handed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
