#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"
#include "lobby/house/house.h"
#include "tests/daemon/fixtures/core_fixture.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/daemon/processes/core/loop/late_engine.h"
#include "tests/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The core's loop on a storage whose commits become durable later (core/core.h). */

#define FLOOD 40 /* so many large messages fill a socket and the core's queue */

static struct core_fixture house;
static uint64_t turn; /* the newest turn that this test has caused */
static struct core_session ada, bob;

/* Confirms every turn until the core has received and committed all that was sent to it. A new
 * session's messages are received one pass after the session itself. */
static void confirm_all(void)
{
    for (int same = 0; same < 2; same++) {
        const uint64_t newest = late_engine_confirm(turn);
        same = newest == turn ? same : -1;
        turn = newest;
    }
}

/* The message that the other side waits for is confirmed meanwhile. */
static void greet_core(int socket)
{
    peer_send(socket, core_fixture_make_hello_message());
    confirm_all();
    json_decref(peer_expect_message(socket, "welcome"));
}

static struct core_session connect_session(int conn)
{
    struct core_session session = core_fixture_connect_session(&house, conn);
    greet_core(session.ends[1]);
    return session;
}

static int set_up(void **state)
{
    (void)state;
    turn = 0;
    core_fixture_init(&house, ":memory:");
    house.metrics.page = mmap(NULL, sizeof *house.metrics.page, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(house.metrics.page, MAP_FAILED);
    late_engine_open();
    core_fixture_start(&house);
    greet_core(house.gate[1]);
    greet_core(house.bot[1]);
    peer_send(house.gate[1], json_pack("{s:s}", "t", "connections_end"));
    confirm_all();
    ada = connect_session(1040);
    bob = connect_session(1041);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    core_fixture_close_session(&ada);
    core_fixture_close_session(&bob);
    core_fixture_clear(&house);
    munmap(house.metrics.page, sizeof *house.metrics.page);
    late_engine_close();
    return 0;
}

static void send_echo_request(const struct core_session *session, int n)
{
    peer_send(session->ends[1], json_pack("{s:s, s:i}", "t", "echo", "n", n));
}

/* Has the core commit a turn whose answer is an echo. The answer may not be sent yet. */
static void commit_echo(const struct core_session *session, int n)
{
    send_echo_request(session, n);
    late_engine_expect_turn(++turn);
}

static void expect_echo(const struct core_session *session, int n)
{
    json_t *echo = peer_expect_any_message(session->ends[1]);
    assert_string_equal(json_string_value(json_object_get(echo, "t")), "echo");
    assert_int_equal(json_integer_value(json_object_get(echo, "n")), n);
    json_decref(echo);
}

/* Fails if anything has been sent to the session by the end of the pass before the present one. */
static void assert_nothing_sent(const struct core_session *session, uint64_t durable)
{
    static char buffer[PACKET_MAX];
    size_t len;
    (void)late_engine_confirm(durable);
    (void)late_engine_confirm(durable); /* begins after the first one's pass has ended */
    assert_int_equal(packet_receive(session->ends[1], buffer, &len, NULL), PACKET_AGAIN);
}

static void a_turn_is_told_once_it_is_durable_and_in_order(void **state)
{
    (void)state;
    const uint64_t before = turn;
    commit_echo(&ada, 1);
    commit_echo(&bob, 2);
    commit_echo(&ada, 3);
    assert_nothing_sent(&ada, before);
    (void)late_engine_confirm(before + 1);
    expect_echo(&ada, 1);
    assert_nothing_sent(&ada, before + 1);
    assert_nothing_sent(&bob, before + 1);
    (void)late_engine_confirm(before + 3);
    expect_echo(&bob, 2);
    expect_echo(&ada, 3);
}

static void what_a_peer_reads_waits_for_a_turn_of_its_own(void **state)
{
    (void)state;
    const uint64_t before = turn;
    commit_echo(&ada, 1);
    peer_send(bob.ends[1], json_pack("{s:s}", "t", "look"));
    assert_nothing_sent(&bob, before);
    assert_nothing_sent(&bob, before + 1);
    (void)late_engine_confirm(before + 2); /* a look is a turn of its own */
    json_decref(peer_expect_message(bob.ends[1], "look"));
    peer_send(bob.ends[1], json_pack("{s:s}", "t", "look"));
    assert_nothing_sent(&bob, before + 2); /* though nothing else is under way */
    turn = late_engine_confirm(before + 3);
    assert_int_equal(turn, before + 3); /* what tells nothing is no turn */
    json_decref(peer_expect_message(bob.ends[1], "look"));
}

static void the_core_receives_nothing_while_too_many_turns_are_not_durable(void **state)
{
    (void)state;
    const uint64_t before = turn;
    for (int i = 0; i < HOUSE_UNSETTLED_TURNS_MAX; i++) {
        commit_echo(&ada, i);
    }
    send_echo_request(&ada, HOUSE_UNSETTLED_TURNS_MAX);
    send_echo_request(&bob, 0);
    (void)late_engine_confirm(before);
    assert_int_equal(late_engine_confirm(before), turn);
    assert_nothing_sent(&ada, before);
    (void)late_engine_confirm(before + 1); /* now it receives one turn more */
    late_engine_expect_turn(turn + 1);
    confirm_all();
    for (int i = 0; i <= HOUSE_UNSETTLED_TURNS_MAX; i++) {
        expect_echo(&ada, i);
    }
    expect_echo(&bob, 0);
}

static void the_core_tells_what_it_has_committed_before_it_closes(void **state)
{
    (void)state;
    const uint64_t before = turn;
    commit_echo(&ada, 1);
    kill(house.core, SIGTERM);
    assert_nothing_sent(&ada, before);
    assert_nothing_sent(&bob, before);
    late_engine_confirm_at_end(turn);
    expect_echo(&ada, 1);
    json_decref(peer_expect_message(ada.ends[1], "bye"));
    json_decref(peer_expect_message(bob.ends[1], "bye"));
    assert_int_equal(peer_wait_for_exit(house.core), 0);
    house.core = 0;
}

static void the_core_tells_what_it_has_committed_before_another_takes_over(void **state)
{
    (void)state;
    commit_echo(&ada, 1);
    kill(house.core, SIGUSR1);
    late_engine_confirm_at_end(turn);
    expect_echo(&ada, 1);
    assert_int_equal(peer_wait_for_exit(house.core), 0);
    house.core = 0;
}

static void a_closing_core_does_not_wait_for_ever(void **state)
{
    (void)state;
    commit_echo(&ada, 1);
    kill(house.core, SIGTERM);
    assert_int_equal(peer_wait_for_exit(house.core), 0);
    house.core = 0;
    json_t *bye = peer_expect_any_message(ada.ends[1]); /* and no echo */
    assert_string_equal(json_string_value(json_object_get(bye, "t")), "bye");
    json_decref(bye);
}

static void nothing_is_sent_when_a_turn_cannot_become_durable(void **state)
{
    (void)state;
    static char buffer[PACKET_MAX];
    size_t len;
    commit_echo(&ada, 1);
    late_engine_fail();
    assert_int_equal(peer_wait_for_exit(house.core), 128 + SIGABRT);
    house.core = 0;
    assert_int_equal(packet_receive(ada.ends[1], buffer, &len, NULL), PACKET_AGAIN);
}

static void after_a_lost_packet_nothing_is_sent_before_the_resync(void **state)
{
    (void)state;
    const uint64_t before = turn;
    peer_send(ada.ends[1], json_pack("{s:s, s:i}", "t", "flood", "count", FLOOD));
    late_engine_expect_turn(++turn);
    commit_echo(&ada, 1);
    (void)late_engine_confirm(before + 1); /* the flood is sent, and a packet of it lost */
    (void)late_engine_confirm(before + 2); /* the echo, which is older than the resync */
    confirm_all();
    int received = 0;
    bool is_asked = false;
    while (!is_asked) {
        json_t *message = peer_expect_any_message(ada.ends[1]);
        const char *type = json_string_value(json_object_get(message, "t"));
        is_asked = strcmp(type, "resync") == 0;
        if (!is_asked) {
            assert_string_equal(type, "much");
            assert_int_equal(json_integer_value(json_object_get(message, "n")), received++);
        }
        json_decref(message);
    }
    assert_in_range(received, 1, FLOOD - 1);
}

static void a_peer_that_breaks_the_protocol_ends_before_its_answers_are_durable(void **state)
{
    (void)state;
    const uint64_t before = turn;
    commit_echo(&ada, 1);
    peer_send(ada.ends[1], json_pack("{s:s}", "t", "end"));
    json_t *bye = peer_expect_any_message(ada.ends[1]);
    assert_string_equal(json_string_value(json_object_get(bye, "t")), "bye");
    json_decref(bye);
    close(ada.ends[0]);
    peer_expect_closed(ada.ends[1]);
    assert_int_equal(turn, before + 1);
    confirm_all();
    commit_echo(&bob, 2);
    confirm_all();
    expect_echo(&bob, 2);
    ada = connect_session(1042);
}

/* Fails unless the metrics count so many moves as durable, and as told. */
static void assert_counted_moves(int count)
{
    char *text = prometheus_write(house.metrics.page);
    static const char *const until[] = {"durable", "told"};
    for (size_t i = 0; i < ARRAY_LEN(until); i++) {
        char line[80];
        snprintf(line, sizeof line, "\ntrickhouse_move_seconds_count{until=\"%s\"} %d\n", until[i],
                 count);
        assert_non_null(strstr(text, line));
    }
    free(text);
}

static void the_metrics_count_a_move_when_it_is_durable_and_told(void **state)
{
    (void)state;
    const uint64_t before = turn;
    for (int i = 0; i < 3; i++) {
        peer_send(ada.ends[1], json_pack("{s:s}", "t", "move"));
        late_engine_expect_turn(++turn);
    }
    (void)late_engine_confirm(before);
    assert_counted_moves(0);
    (void)late_engine_confirm(before + 2);
    assert_counted_moves(2);
    (void)late_engine_confirm(before + 3);
    assert_counted_moves(3);
}

#define LATE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

TEST_GROUP(settle)
{
    const struct CMUnitTest tests[] = {
        LATE_TEST(a_turn_is_told_once_it_is_durable_and_in_order),
        LATE_TEST(what_a_peer_reads_waits_for_a_turn_of_its_own),
        LATE_TEST(the_core_receives_nothing_while_too_many_turns_are_not_durable),
        LATE_TEST(the_metrics_count_a_move_when_it_is_durable_and_told),
        LATE_TEST(the_core_tells_what_it_has_committed_before_it_closes),
        LATE_TEST(the_core_tells_what_it_has_committed_before_another_takes_over),
        LATE_TEST(a_closing_core_does_not_wait_for_ever),
        LATE_TEST(nothing_is_sent_when_a_turn_cannot_become_durable),
        LATE_TEST(after_a_lost_packet_nothing_is_sent_before_the_resync),
        LATE_TEST(a_peer_that_breaks_the_protocol_ends_before_its_answers_are_durable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
