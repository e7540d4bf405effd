#include "daemon/base/base.h"
#include "daemon/config/config.h"
#include "daemon/processes/core/core.h"
#include "daemon/processes/processes.h"
#include "tests/daemon/fixtures/core_fixture.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/lobby/sentence_check.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Number of large messages that fill a socket and the core's queue, however large the kernel makes
 * the socket's buffers. */
#define FLOOD 40

#define DAMAGED "damaged"

static struct core_fixture house;

static int set_up_house(void **state)
{
    (void)state;
    core_fixture_init(&house, ":memory:");
    core_fixture_start(&house);
    core_fixture_greet_core(house.gate[1]);
    core_fixture_greet_core(house.bot[1]);
    peer_send(house.gate[1], json_pack("{s:s}", "t", "connections_end"));
    json_decref(peer_expect_message(house.gate[1], "connections_end"));
    return 0;
}

static int tear_down_house(void **state)
{
    (void)state;
    core_fixture_clear(&house);
    return 0;
}

static char folder[FOLDER_PATH_MAX];
static char backups[FOLDER_PATH_MAX];

/* Opens a house with operators and backups, in a folder that everybody may enter. */
static int set_up_house_with_operators_and_backups(void **state)
{
    char database[FOLDER_PATH_MAX];
    (void)state;
    assert_int_equal(folder_make(folder), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    folder_write_path(backups, folder, "backups");
    folder_write_path(database, folder, "house.db");
    core_fixture_init(&house, database);
    house.backups = backups;
    house.control = control_socket_listen(folder);
    assert_true(house.control >= 0);
    core_fixture_start(&house);
    core_fixture_greet_core(house.gate[1]);
    return 0;
}

static int tear_down_house_with_operators_and_backups(void **state)
{
    close(house.control);
    return tear_down_house(state) + folder_remove(folder);
}

static struct core_session connect_session(int conn)
{
    struct core_session session = core_fixture_connect_session(&house, conn);
    json_decref(peer_expect_message(house.gate[1], "connection"));
    return session;
}

static struct core_session connect_and_greet_session(int conn)
{
    struct core_session session = connect_session(conn);
    peer_send(session.ends[1], core_fixture_make_hello_message());
    json_decref(peer_expect_message(session.ends[1], "welcome"));
    return session;
}

static void expect_echo(int socket, int n)
{
    json_t *echo = peer_expect_any_message(socket);
    assert_string_equal(json_string_value(json_object_get(echo, "t")), "echo");
    assert_int_equal(json_integer_value(json_object_get(echo, "n")), n);
    json_decref(echo);
}

static json_t *make_echo_request(int n)
{
    return json_pack("{s:s, s:i}", "t", "echo", "n", n);
}

static void expect_message_to_gate(const char *type, int conn)
{
    json_t *message = peer_expect_message(house.gate[1], type);
    assert_int_equal(json_integer_value(json_object_get(message, "conn")), conn);
    json_decref(message);
}

static void a_session_has_the_address_that_the_gate_reports(void **state)
{
    (void)state;
    struct core_session session = connect_session(1040);
    peer_send(session.ends[1], core_fixture_make_hello_message());
    json_t *welcome = peer_expect_any_message(session.ends[1]);
    assert_int_equal(json_integer_value(json_object_get(welcome, "conn")), 1040);
    assert_string_equal(json_string_value(json_object_get(welcome, "origin")), "1 192.0.2.7 ssh");
    json_decref(welcome);
    core_fixture_close_session(&session);
}

static void messages_are_answered_in_order_and_to_their_sender(void **state)
{
    (void)state;
    struct core_session first = connect_and_greet_session(1041);
    struct core_session second = connect_and_greet_session(1042);
    for (int i = 0; i < 100; i++) {
        peer_send(first.ends[1], make_echo_request(i));
        peer_send(second.ends[1], make_echo_request(1000 + i));
    }
    for (int i = 0; i < 100; i++) {
        expect_echo(first.ends[1], i);
        expect_echo(second.ends[1], 1000 + i);
    }
    core_fixture_close_session(&first);
    core_fixture_close_session(&second);
}

static void the_house_and_the_gate_learn_when_a_session_ends(void **state)
{
    (void)state;
    struct core_session session = connect_and_greet_session(1043);
    close(session.ends[1]);
    expect_message_to_gate("drop", 1043);
    expect_message_to_gate("left", 1043);
    close(session.ends[0]);
}

static void expect_translatable_goodbye(int socket)
{
    json_t *bye = peer_expect_message(socket, "bye");
    assert_true(json_string_length(json_object_get(bye, "why")) > 0);
    sentence_check_message(bye);
    json_decref(bye);
}

static void only_the_session_that_breaks_the_protocol_is_ended_with_a_reason(void **state)
{
    (void)state;
    struct core_session other = connect_and_greet_session(1044);
    struct core_session session = connect_and_greet_session(1045);
    peer_send(session.ends[1], json_pack("{s:s}", "t", "end"));
    expect_translatable_goodbye(session.ends[1]);
    expect_message_to_gate("drop", 1045);
    close(session.ends[0]);
    peer_expect_closed(session.ends[1]);
    peer_send(other.ends[1], make_echo_request(1));
    expect_echo(other.ends[1], 1);
    close(session.ends[1]);
    core_fixture_close_session(&other);
}

static void an_over_long_packet_ends_its_connection(void **state)
{
    (void)state;
    static char packet[PACKET_MAX + 1];
    struct core_session session = connect_and_greet_session(1046);
    assert_int_equal(send(session.ends[1], packet, sizeof packet, 0), sizeof packet);
    json_decref(peer_expect_message(session.ends[1], "bye"));
    expect_message_to_gate("drop", 1046);
    core_fixture_close_session(&session);
}

static void a_session_is_closed_after_its_goodbye(void **state)
{
    (void)state;
    struct core_session session = connect_and_greet_session(1047);
    peer_send(session.ends[1], json_pack("{s:s}", "t", "bye"));
    json_decref(peer_expect_message(session.ends[1], "bye"));
    expect_message_to_gate("drop", 1047);
    close(session.ends[0]);
    peer_expect_closed(session.ends[1]);
    close(session.ends[1]);
}

static void a_slow_session_loses_its_queued_messages_and_gets_one_resync(void **state)
{
    (void)state;
    struct core_session session = connect_and_greet_session(1048);
    peer_send(session.ends[1], json_pack("{s:s, s:i}", "t", "flood", "count", FLOOD));
    int received = 0;
    bool is_asked = false;
    while (!is_asked) {
        json_t *message = peer_expect_any_message(session.ends[1]);
        is_asked = strcmp(json_string_value(json_object_get(message, "t")), "resync") == 0;
        if (!is_asked) {
            /* no message is missing before the resync */
            assert_int_equal(json_integer_value(json_object_get(message, "n")), received);
            received++;
        }
        json_decref(message);
    }
    assert_in_range(received, 1, FLOOD - 1);
    peer_send(session.ends[1], make_echo_request(2));
    expect_echo(session.ends[1], 2);
    core_fixture_close_session(&session);
}

static void a_full_socket_delays_nobody_else_and_loses_no_message_that_fits_the_queue(void **state)
{
    (void)state;
    struct core_session slow = connect_and_greet_session(1049);
    struct core_session other = connect_and_greet_session(1050);
    peer_send(slow.ends[1], json_pack("{s:s, s:i}", "t", "flood", "count", 10));
    peer_send(other.ends[1], make_echo_request(3));
    expect_echo(other.ends[1], 3);
    for (int i = 0; i < 10; i++) {
        json_t *message = peer_expect_any_message(slow.ends[1]);
        assert_int_equal(json_integer_value(json_object_get(message, "n")), i);
        json_decref(message);
    }
    core_fixture_close_session(&slow);
    core_fixture_close_session(&other);
}

static void no_message_is_sent_when_the_commit_fails(void **state)
{
    (void)state;
    struct core_session session = connect_and_greet_session(1051);
    peer_send(session.ends[1], json_pack("{s:s}", "t", "fail"));
    assert_int_equal(peer_wait_for_exit(house.core), 128 + SIGABRT);
    house.core = 0;
    close(session.ends[0]);
    peer_expect_closed(session.ends[1]);
    close(session.ends[1]);
}

static void the_house_ticks_while_no_messages_arrive(void **state)
{
    (void)state;
    struct core_session session = connect_and_greet_session(1052);
    peer_send(session.ends[1], json_pack("{s:s, s:i}", "t", "later", "ms", 30));
    json_decref(peer_expect_message(session.ends[1], "later"));
    core_fixture_close_session(&session);
}

static void a_session_survives_a_killed_core(void **state)
{
    (void)state;
    struct core_session session = connect_and_greet_session(1053);
    core_fixture_kill(&house);
    core_fixture_start(&house);
    core_fixture_greet_core(house.gate[1]);
    core_fixture_hand_over_session(&house, 1053, session.ends[0]);
    peer_send(house.gate[1], json_pack("{s:s}", "t", "connections_end"));
    core_fixture_greet_core(session.ends[1]);
    peer_send(session.ends[1], make_echo_request(4));
    expect_echo(session.ends[1], 4);
    core_fixture_close_session(&session);
}

static void a_new_core_ignores_messages_sent_to_the_core_that_died(void **state)
{
    (void)state;
    struct core_session session = connect_and_greet_session(1054);
    core_fixture_kill(&house);
    peer_send(session.ends[1], make_echo_request(5));
    peer_send(house.bot[1], make_echo_request(6));
    core_fixture_start(&house);
    core_fixture_greet_core(house.gate[1]);
    core_fixture_greet_core(house.bot[1]);
    core_fixture_hand_over_session(&house, 1054, session.ends[0]);
    json_decref(peer_expect_message(session.ends[1], "resync"));
    peer_send(session.ends[1], core_fixture_make_hello_message());
    json_t *first = peer_expect_any_message(session.ends[1]);
    assert_string_equal(json_string_value(json_object_get(first, "t")), "welcome");
    json_decref(first);
    peer_send(session.ends[1], make_echo_request(7));
    expect_echo(session.ends[1], 7);
    peer_send(house.bot[1], make_echo_request(8));
    expect_echo(house.bot[1], 8);
    core_fixture_close_session(&session);
}

static void a_session_handed_over_twice_exists_once(void **state)
{
    (void)state;
    struct core_session session = connect_and_greet_session(1055);
    core_fixture_hand_over_session(&house, 1055, session.ends[0]);
    json_decref(peer_expect_message(house.gate[1], "connection"));
    peer_send(session.ends[1], make_echo_request(9));
    expect_echo(session.ends[1], 9);
    core_fixture_close_session(&session);
}

static void a_connection_without_socket_or_address_is_ignored(void **state)
{
    (void)state;
    peer_send(house.gate[1], json_pack("{s:s, s:i, s:s, s:s}", "t", "connection", "conn", 1056,
                                       "address", "192.0.2.7", "transport", "ssh"));
    json_decref(peer_expect_message(house.gate[1], "connection"));
    peer_send_with_descriptor(
        house.gate[1], json_pack("{s:s, s:i}", "t", "connection", "conn", 1057), house.bot[0]);
    json_decref(peer_expect_message(house.gate[1], "connection"));
    peer_send_with_descriptor(house.gate[1], make_echo_request(10), house.bot[0]);
    expect_echo(house.gate[1], 10);
}

static void a_worker_that_breaks_the_protocol_starts_over_on_the_same_socket(void **state)
{
    (void)state;
    peer_send(house.bot[1], json_pack("{s:s}", "t", "end"));
    core_fixture_greet_core(house.bot[1]);
    peer_send(house.bot[1], make_echo_request(11));
    expect_echo(house.bot[1], 11);
}

static void at_sigterm_the_core_says_goodbye_to_everyone_and_exits_0(void **state)
{
    (void)state;
    struct core_session session = connect_and_greet_session(1058);
    kill(house.core, SIGTERM);
    expect_translatable_goodbye(session.ends[1]);
    assert_int_equal(peer_wait_for_exit(house.core), 0);
    house.core = 0;
    core_fixture_close_session(&session);
}

static void a_core_that_is_being_replaced_sends_no_goodbye(void **state)
{
    (void)state;
    static char buffer[PACKET_MAX];
    size_t len;
    struct core_session session = connect_and_greet_session(1059);
    kill(house.core, SIGUSR1);
    assert_int_equal(peer_wait_for_exit(house.core), 0);
    house.core = 0;
    assert_int_equal(packet_receive(session.ends[1], buffer, &len, NULL), PACKET_AGAIN);
    core_fixture_close_session(&session);
}

/* Returns true if the house answers this process when it connects as an operator. */
static bool is_accepted_as_operator(void)
{
    int operator_end = control_socket_connect(folder);
    if (operator_end < 0) {
        return false;
    }
    static const char hello[] = "{\"t\":\"hello\",\"protocol\":3,\"software\":\"test\"}";
    static char buffer[PACKET_MAX];
    size_t len;
    struct pollfd answered = {.fd = operator_end, .events = POLLIN};
    bool is_in = packet_send(operator_end, hello, sizeof hello - 1, -1) == PACKET_OK &&
                 poll(&answered, 1, FIXTURE_DEADLINE_MS) == 1 &&
                 packet_receive(operator_end, buffer, &len, NULL) == PACKET_OK;
    close(operator_end);
    return is_in;
}

static void only_root_and_the_owner_of_the_data_are_operators(void **state)
{
    (void)state;
    char control[FOLDER_PATH_MAX];
    assert_true(is_accepted_as_operator());
    if (geteuid() != 0) {
        return; /* only root can connect as another user */
    }
    folder_write_path(control, folder, "control");
    /* everybody may open the socket now, so that only the check of the user id can refuse */
    assert_int_equal(chmod(control, 0666), 0);
    pid_t pid = fork();
    if (pid == 0) {
        bool is_nobody = setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0;
        _exit(is_nobody && !is_accepted_as_operator() ? 0 : 1);
    }
    assert_int_equal(peer_wait_for_exit(pid), 0);
    assert_true(is_accepted_as_operator());
}

static void a_backup_is_kept_only_when_it_passes_its_check(void **state)
{
    (void)state;
    char damaged[FOLDER_PATH_MAX];
    struct core_session session = connect_and_greet_session(1060);
    peer_send(session.ends[1], json_pack("{s:s}", "t", "backup"));
    json_t *told = peer_expect_message(house.gate[1], "backed_up");
    assert_int_equal(access(json_string_value(json_object_get(told, "path")), R_OK), 0);
    json_decref(told);
    folder_write_path(damaged, backups, DAMAGED);
    assert_int_equal(close(open(damaged, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)), 0);
    peer_send(session.ends[1], json_pack("{s:s}", "t", "backup"));
    told = peer_expect_message(house.gate[1], "backed_up");
    assert_null(json_object_get(told, "path"));
    assert_non_null(strstr(json_string_value(json_object_get(told, "why")), "check"));
    json_decref(told);
    core_fixture_close_session(&session);
}

/* Stands in for `trickhouse check-data`, as which the core runs this program to check a backup.
 * Reports an error if there is a file "damaged" beside the backup. glibc passes the program's
 * arguments to functions that run before main. */
__attribute__((constructor)) static void run_fake_check_data(int argc, char **argv)
{
    if (argc != 4 || strcmp(argv[1], "check-data") != 0) {
        return;
    }
    char beside[2 * FOLDER_PATH_MAX];
    const char *name = strrchr(argv[3], '/');
    snprintf(beside, sizeof beside, "%.*s/%s", (int)(name - argv[3]), argv[3], DAMAGED);
    _exit(access(beside, F_OK) == 0 ? 1 : 0);
}

static void a_core_whose_data_cannot_be_opened_exits_at_once(void **state)
{
    (void)state;
    const struct config config = config_make_default();
    const struct core_setup setup = {
        .database = "/nonexistent/house.db",
        .config = &config,
        .ready_fd = -1,
        .control_socket = -1,
        .gate_socket = -1,
        .bridge_socket = -1,
    };
    pid_t pid = fork();
    if (pid == 0) {
        _exit(core_run(&setup));
    }
    assert_int_equal(peer_wait_for_exit(pid), 1);
}

#define IN_A_HOUSE(test) cmocka_unit_test_setup_teardown(test, set_up_house, tear_down_house)

#define IN_A_WHOLE_HOUSE(test)                                                                     \
    cmocka_unit_test_setup_teardown(test, set_up_house_with_operators_and_backups,                 \
                                    tear_down_house_with_operators_and_backups)

TEST_GROUP(core)
{
    const struct CMUnitTest tests[] = {
        IN_A_HOUSE(a_session_has_the_address_that_the_gate_reports),
        IN_A_HOUSE(messages_are_answered_in_order_and_to_their_sender),
        IN_A_HOUSE(the_house_and_the_gate_learn_when_a_session_ends),
        IN_A_HOUSE(only_the_session_that_breaks_the_protocol_is_ended_with_a_reason),
        IN_A_HOUSE(an_over_long_packet_ends_its_connection),
        IN_A_HOUSE(a_session_is_closed_after_its_goodbye),
        IN_A_HOUSE(a_slow_session_loses_its_queued_messages_and_gets_one_resync),
        IN_A_HOUSE(a_full_socket_delays_nobody_else_and_loses_no_message_that_fits_the_queue),
        IN_A_HOUSE(no_message_is_sent_when_the_commit_fails),
        IN_A_HOUSE(the_house_ticks_while_no_messages_arrive),
        IN_A_HOUSE(a_session_survives_a_killed_core),
        IN_A_HOUSE(a_new_core_ignores_messages_sent_to_the_core_that_died),
        IN_A_HOUSE(a_session_handed_over_twice_exists_once),
        IN_A_HOUSE(a_connection_without_socket_or_address_is_ignored),
        IN_A_HOUSE(a_worker_that_breaks_the_protocol_starts_over_on_the_same_socket),
        IN_A_HOUSE(at_sigterm_the_core_says_goodbye_to_everyone_and_exits_0),
        IN_A_HOUSE(a_core_that_is_being_replaced_sends_no_goodbye),
        IN_A_WHOLE_HOUSE(only_root_and_the_owner_of_the_data_are_operators),
        IN_A_WHOLE_HOUSE(a_backup_is_kept_only_when_it_passes_its_check),
        cmocka_unit_test(a_core_whose_data_cannot_be_opened_exits_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
