#include "daemon/base/base.h"
#include "nodes_fixture.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/unit.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* The bridges of two nodes tell their gates when the house, which node 1 holds, is away. */

#define REKEY_BYTES ((uint64_t)1 << 30)
#define SHORT_MS 500 /* time in which something that must not happen would have happened */

static struct node first;
static struct node second;
static const struct node *const both[] = {&first, &second};
static int gate; /* the core's end of the gate of node 2, in node 1 */

/* Opens both nodes; node 1 holds the house, and node 2 carries its gate to it. */
static int open_house(void **state)
{
    (void)state;
    node_open(&first, 1, REKEY_BYTES);
    node_open(&second, 2, REKEY_BYTES);
    node_tell(&first, 1, both, 2);
    node_tell(&second, 1, both, 2);
    gate = node_attach_gate(&first, &second);
    return 0;
}

static int close_house(void **state)
{
    (void)state;
    fd_close(gate);
    node_close(&second);
    node_close(&first);
    return 0;
}

static void expect_message(const struct node *node, const char *type)
{
    json_decref(node_expect(node->gate[1], type, NULL));
}

static void expect_carried(uint32_t n)
{
    node_send_packet(second.gate[1], n, 100);
    node_expect_packet(gate, n, 100);
}

static void begin_core(const struct node *node)
{
    peer_send(node->core[0], json_pack("{s:s}", "t", "resync"));
    json_decref(node_expect(node->core[0], "hello", NULL));
}

static void the_gate_hears_that_the_connection_to_the_house_is_lost(void **state)
{
    (void)state;
    node_expect_none(second.gate[1], "house_away", SHORT_MS);
    node_kill_bridge(&first);
    expect_message(&second, "house_away");
}

static void the_gate_hears_that_nobody_holds_the_house(void **state)
{
    (void)state;
    node_tell(&second, 0, both, 2);
    expect_message(&second, "house_away");
}

static void the_gate_of_another_node_hears_that_the_core_of_the_house_has_ended(void **state)
{
    (void)state;
    fd_close_and_reset(&gate);
    begin_core(&first); /* and takes nobody yet */
    expect_message(&second, "house_away");
}

static void
the_own_gate_hears_that_the_core_of_the_house_has_ended_when_the_next_begins(void **state)
{
    (void)state;
    node_expect_none(first.gate[1], "house_away", SHORT_MS);
    begin_core(&first);
    expect_message(&first, "house_away");
}

static void the_gate_hears_nothing_when_the_core_of_a_waiting_node_restarts(void **state)
{
    (void)state;
    begin_core(&second);
    node_tell(&second, 1, both, 2);
    expect_carried(5);
    node_expect_none(second.gate[1], "house_away", SHORT_MS);
}

static void the_gate_hears_that_the_house_is_silent_and_that_it_answers_again(void **state)
{
    (void)state;
    assert_int_equal(kill(first.bridge, SIGSTOP), 0);
    expect_message(&second, "house_away");
    assert_int_equal(kill(first.bridge, SIGCONT), 0);
    expect_message(&second, "house_back");
    expect_carried(5); /* over the same connection */
    assert_int_equal(node_count_logged(&second, "cut"), 0);
}

/* What the own core says while the gate is carried, nobody would take back. */
static void
the_gate_hears_that_its_core_cannot_use_its_data_only_while_it_is_not_carried(void **state)
{
    (void)state;
    peer_send(second.core[0], json_pack("{s:s}", "t", "waits"));
    node_expect_none(second.gate[1], "house_away", SHORT_MS);
    expect_carried(5);
    node_tell(&second, 0, both, 2);
    expect_message(&second, "house_away");
    peer_send(second.core[0], json_pack("{s:s}", "t", "waits"));
    json_t *message = node_expect(second.gate[1], "house_away", NULL);
    assert_true(json_is_true(json_object_get(message, "waits")));
    json_decref(message);
}

/* Gives the bridge of node 2 the program of an operator, as its core does. Returns the program's
 * end. */
static int give_operator(void)
{
    static const char message[] = "{\"t\":\"operator\",\"refusal\":\"{\\\"t\\\":\\\"no\\\"}\"}";
    int ends[2];
    assert_int_equal(packet_make_socket_pair(ends), 0);
    assert_int_equal(packet_send(second.core[0], message, strlen(message), ends[0]), PACKET_OK);
    close(ends[0]);
    return ends[1];
}

static void programs_of_operators_are_carried_to_the_house_or_refused_while_it_is_away(void **state)
{
    int programs[2], core_ends[2];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        programs[i] = give_operator();
        json_decref(node_expect(first.core[0], "operator", &core_ends[i]));
    }
    for (uint32_t i = 0; i < ARRAY_LEN(programs); i++) {
        node_send_packet(programs[i], i, 100);
        node_expect_packet(core_ends[i], i, 100);
        node_send_packet(core_ends[i], i, 200);
        node_expect_packet(programs[i], i, 200);
        close(programs[i]);
        peer_expect_closed(core_ends[i]);
        close(core_ends[i]);
    }
    node_tell(&second, 0, both, 2);
    programs[0] = give_operator();
    json_decref(node_expect(programs[0], "no", NULL));
    close(programs[0]);
}

#define IN_A_HOUSE(test) cmocka_unit_test_setup_teardown(test, open_house, close_house)

TEST_GROUP(bridge_absence)
{
    const struct CMUnitTest tests[] = {
        IN_A_HOUSE(the_gate_hears_that_the_connection_to_the_house_is_lost),
        IN_A_HOUSE(the_gate_hears_that_nobody_holds_the_house),
        IN_A_HOUSE(the_gate_of_another_node_hears_that_the_core_of_the_house_has_ended),
        IN_A_HOUSE(the_own_gate_hears_that_the_core_of_the_house_has_ended_when_the_next_begins),
        IN_A_HOUSE(the_gate_hears_nothing_when_the_core_of_a_waiting_node_restarts),
        IN_A_HOUSE(the_gate_hears_that_the_house_is_silent_and_that_it_answers_again),
        IN_A_HOUSE(the_gate_hears_that_its_core_cannot_use_its_data_only_while_it_is_not_carried),
        IN_A_HOUSE(programs_of_operators_are_carried_to_the_house_or_refused_while_it_is_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
