#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "fake_core.h"
#include "games/macros.h"
#include "gate_fixture.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <libssh/libssh.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tests the gate and its sessions. fake_ui.c stands in for the screen. */

/* Waits until the core has received these messages, in any order, since the last call. */
static bool expect_core_receives(const struct house *house, const char *const lines[3])
{
    static char heard[1 << 14];
    memset(heard, 0, sizeof(heard));
    size_t len = 0;
    int64_t deadline_ms = clock_steady_ms() + HOUSE_PATIENCE_MS;
    bool is_heard = false;
    while (!is_heard && len < sizeof(heard) - 1 && clock_steady_ms() < deadline_ms) {
        struct pollfd ready = {.fd = house->log[0], .events = POLLIN};
        if (poll(&ready, 1, HOUSE_PATIENCE_MS) != 1) {
            break;
        }
        ssize_t got = read(house->log[0], heard + len, sizeof(heard) - 1 - len);
        len += got > 0 ? (size_t)got : 0;
        is_heard = strstr(heard, lines[0]) && strstr(heard, lines[1]) && strstr(heard, lines[2]);
    }
    return is_heard;
}

static void a_guest_signs_in_types_and_leaves(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "guest", NULL, NULL);
    assert_true(person_expect(&person, "SCREEN {\"name\":\"guest-7\""));
    assert_true(person_expect(&person, "100x30 xterm-256color"));
    assert_true(person_expect(&person, "ANSWER 1"));
    person_type_text(&person, "x");
    assert_true(person_expect(&person, "TYPED x"));
    person_type_text(&person, "q");
    assert_true(person_expect(&person, "GOODBYE"));
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

static void the_screen_gets_the_first_message_of_a_restarted_core(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "stranger", house.user_key, NULL);
    assert_true(person_expect(&person, "SCREEN"));
    kill(house.core, SIGKILL);
    house_wait_for_child(house.core);
    house.core = fake_core_start(house.core_ends[1], house.log[1], 1);
    assert_true(person_expect(&person, "PUSH welcome"));
    assert_true(person_expect(&person, "PUSH notice"));
    person_type_text(&person, "q");
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

/* Sends the gate a message as whoever has the core's end of its socket. */
static void tell_gate(const struct house *house, const char *message)
{
    assert_int_equal(packet_send(house->core_ends[1], message, strlen(message), -1), PACKET_OK);
}

static void every_session_hears_that_the_house_is_away_and_that_it_answers_after_all(void **state)
{
    (void)state;
    struct house house;
    static struct person people[2];
    house_open(&house, 10);
    for (int i = 0; i < 2; i++) {
        person_connect(&people[i], &house, "mira", house.user_key, NULL);
        assert_true(person_expect(&people[i], "ANSWER 1"));
    }
    tell_gate(&house, "{\"t\":\"house_away\"}");
    tell_gate(&house, "{\"t\":\"house_back\"}");
    for (int i = 0; i < 2; i++) {
        assert_true(person_expect(&people[i], "PUSH house_away"));
        assert_true(person_expect(&people[i], "PUSH house_back"));
        person_type_text(&people[i], "q");
        assert_int_equal(person_wait_for_end(&people[i]), 0);
    }
    house_close(&house);
}

static void a_known_key_signs_in_without_a_question(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "mira", house.user_key, NULL);
    assert_true(person_expect(&person, "SCREEN {\"name\":\"mira\""));
    person_type_text(&person, "q");
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

static void somebody_with_a_new_key_is_unregistered_and_may_sign_up_with_it(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "newcomer", house.user_key, NULL);
    assert_true(person_expect(&person, "VISITOR \"newcomer\" key 1"));
    person_type_text(&person, "q");
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

static void a_denied_key_leads_to_the_password_prompt(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "taken", house.user_key, NULL);
    assert_true(person_expect(&person, "Welcome to Trickhouse."));
    assert_true(person_expect(&person, "Password: "));
    person_type_text(&person, "\n");
    assert_true(person_expect(&person, "VISITOR \"\" key 0"));
    person_type_text(&person, "q");
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

static void a_wrong_password_is_refused_and_the_right_one_signs_in(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "mira", NULL, NULL);
    assert_true(person_expect(&person, "Password: "));
    person_type_text(&person, "wrong\n");
    assert_true(person_expect(&person, "That was not right."));
    assert_true(person_expect(&person, "Password: "));
    person_type_text(&person, "again\n");
    assert_true(person_expect(&person, "wait 4 s"));
    assert_true(person_expect(&person, "Password: "));
    person_type_text(&person, "correct horse\n");
    assert_true(person_expect(&person, "SCREEN {\"name\":\"mira\""));
    person_type_text(&person, "q");
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

static void a_new_window_size_is_limited_and_reaches_the_screen(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "guest", NULL, NULL);
    assert_true(person_expect(&person, "SCREEN"));
    struct winsize size = {.ws_row = 40, .ws_col = 120};
    assert_int_equal(ioctl(person.terminal, TIOCSWINSZ, &size), 0);
    assert_true(person_expect(&person, "RESIZED 120x40"));
    size = (struct winsize){.ws_row = 3, .ws_col = 9999};
    assert_int_equal(ioctl(person.terminal, TIOCSWINSZ, &size), 0);
    assert_true(person_expect(&person, "RESIZED 500x10"));
    person_type_text(&person, "q");
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

static void an_unknown_ssh_command_prints_one_line_and_exits_with_1(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "guest", NULL, "uptime");
    assert_true(person_expect(&person, "no such command"));
    assert_int_equal(person_wait_for_end(&person), 1);
    house_close(&house);
}

static void a_connection_needs_no_terminal(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "guest", NULL, "-T");
    assert_true(person_expect(&person, "ANSWER 1"));
    person_type_text(&person, "q\n");
    assert_true(person_expect(&person, "GOODBYE"));
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

static void sessions_outlive_a_core_and_are_handed_to_the_next(void **state)
{
    static const char *const first[] = {"gate connection\n", "gate connection", "100 ping"};
    static const char *const again[] = {"gate connection, signed in\n", "gate connections_end",
                                        "100 hello"};
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "mira", house.user_key, NULL);
    assert_true(person_expect(&person, "ANSWER 1"));
    assert_true(expect_core_receives(&house, first));
    kill(house.core, SIGKILL);
    house_wait_for_child(house.core);
    person_type_text(&person, "x");
    assert_true(person_expect(&person, "TYPED x"));
    house.core = fake_core_start(house.core_ends[1], house.log[1], 1);
    assert_true(expect_core_receives(&house, again));
    person_type_text(&person, "q");
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

static void a_connection_without_a_core_waits_for_the_next_one(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    kill(house.core, SIGKILL);
    house_wait_for_child(house.core);
    person_connect(&person, &house, "guest", NULL, NULL);
    house.core = fake_core_start(house.core_ends[1], house.log[1], 1);
    assert_true(person_expect(&person, "SCREEN"));
    person_type_text(&person, "q");
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

static void a_full_house_refuses_connections_before_ssh_begins(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 1);
    person_connect(&person, &house, "guest", NULL, NULL);
    assert_true(person_expect(&person, "SCREEN"));
    struct person second;
    person_connect(&second, &house, "guest", NULL, "-v");
    assert_true(person_expect(&second, "Trickhouse is full"));
    assert_int_equal(person_wait_for_end(&second), 255);
    person_type_text(&person, "q");
    assert_int_equal(person_wait_for_end(&person), 0);
    house_close(&house);
}

/* Connects again and again until the first words that the gate sends are `words`. Returns the
 * socket of that connection. */
static int await_greeting(const struct house *house, const char *words)
{
    int64_t deadline_ms = clock_steady_ms() + HOUSE_PATIENCE_MS;
    char heard[HOUSE_GREETING_SIZE] = "";
    while (clock_steady_ms() < deadline_ms) {
        int peer;
        house_read_greeting(house, &peer, heard);
        if (strncmp(heard, words, strlen(words)) == 0) {
            return peer;
        }
        close(peer);
    }
    fail_msg("not greeted \"%s\" but \"%s\"", words, heard);
    return -1;
}

static void a_banned_network_may_have_one_connection_before_sign_in(void **state)
{
    static const char barred[] = "{\"t\":\"barred\",\"nets\":[\"127.0.0.0/8\"]}";
    struct house house;
    (void)state;
    house_open(&house, 10);
    int first = await_greeting(&house, "SSH-2.0-");
    int second = await_greeting(&house, "SSH-2.0-"); /* no network is banned yet */
    close(second);
    assert_int_equal(send(house.core_ends[1], barred, sizeof(barred) - 1, 0), sizeof(barred) - 1);
    close(await_greeting(&house, "Your network is banned here."));
    close(first);
    first = await_greeting(&house, "SSH-2.0-");
    close(await_greeting(&house, "Your network is banned here."));
    close(first);
    house_close(&house);
}

static void a_stopping_gate_ends_its_sessions_with_a_message(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "guest", NULL, NULL);
    assert_true(person_expect(&person, "SCREEN"));
    kill(house.gate, SIGTERM);
    assert_true(person_expect(&person, "GOODBYE"));
    assert_true(person_expect(&person, "This entrance closes."));
    person_wait_for_end(&person);
    house_close(&house);
}

/* Returns the process of the only session. */
static int find_session(const struct house *house)
{
    char path[64];
    int session = 0;
    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)house->gate, (int)house->gate);
    FILE *children = fopen(path, "r");
    assert_true(children != NULL && fscanf(children, "%d", &session) == 1);
    fclose(children);
    return session;
}

static void open_with_one_session(struct house *house, struct person *person)
{
    house_open(house, 4);
    person_connect(person, house, "guest", NULL, NULL);
    assert_true(person_expect(person, "ANSWER 1"));
}

static void a_session_has_a_lower_priority_than_the_gate(void **state)
{
    struct house house;
    struct person person;
    (void)state;
    open_with_one_session(&house, &person);
    assert_true(getpriority(PRIO_PROCESS, (id_t)find_session(&house)) >
                getpriority(PRIO_PROCESS, (id_t)house.gate));
    assert_int_equal(kill(find_session(&house), SIGKILL), 0);
    person_wait_for_end(&person);
    house_close(&house);
}

static void a_session_that_does_not_exit_when_told_to_end_is_killed(void **state)
{
    static const char drop[] = "{\"t\":\"drop\",\"conn\":100,\"end\":true}";
    struct house house;
    struct person person;
    (void)state;
    open_with_one_session(&house, &person);
    int session = find_session(&house);
    assert_int_equal(kill(session, SIGSTOP), 0);
    assert_int_equal(send(house.core_ends[1], drop, sizeof(drop) - 1, 0), sizeof(drop) - 1);
    person_wait_for_end(&person);
    house_close(&house);
}

static void a_gate_exits_when_the_core_socket_is_closed_for_good(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    house_open(&house, 10);
    person_connect(&person, &house, "guest", NULL, NULL);
    assert_true(person_expect(&person, "SCREEN"));
    kill(house.core, SIGKILL);
    close(house.core_ends[1]);
    house.core_ends[1] = -1;
    assert_true(person_expect(&person, "GOODBYE"));
    person_wait_for_end(&person);
    house_close(&house);
}

/* Connects with libssh, which can do what the ssh program cannot. */
static ssh_session connect_libssh_client(const struct house *house, const char *user)
{
    ssh_session client = ssh_new();
    assert_non_null(client);
    unsigned int port = house->port;
    const bool process_config = false;
    ssh_options_set(client, SSH_OPTIONS_PROCESS_CONFIG, &process_config);
    ssh_options_set(client, SSH_OPTIONS_HOST, "127.0.0.1");
    ssh_options_set(client, SSH_OPTIONS_PORT, &port);
    ssh_options_set(client, SSH_OPTIONS_USER, user);
    assert_int_equal(ssh_connect(client), SSH_OK);
    return client;
}

static void known_and_unknown_names_get_the_same_prompt(void **state)
{
    (void)state;
    struct house house;
    house_open(&house, 10);
    static const char *const names[] = {"mira", "nobody-known", "root", "taken", "Ungültig \x01"};
    char first[512] = "";
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        ssh_session client = connect_libssh_client(&house, names[i]);
        assert_int_equal(ssh_userauth_kbdint(client, NULL, NULL), SSH_AUTH_INFO);
        assert_int_equal(ssh_userauth_kbdint_getnprompts(client), 1);
        char echo = 1, all[512];
        snprintf(all, sizeof(all), "%s|%s|%s", ssh_userauth_kbdint_getname(client),
                 ssh_userauth_kbdint_getinstruction(client),
                 ssh_userauth_kbdint_getprompt(client, 0, &echo));
        assert_int_equal(echo, 0);
        if (i == 0) {
            memcpy(first, all, sizeof(first));
        }
        assert_string_equal(all, first);
        ssh_disconnect(client);
        ssh_free(client);
    }
    house_close(&house);
}

static void six_wrong_sign_in_tries_end_the_connection(void **state)
{
    (void)state;
    struct house house;
    house_open(&house, 10);
    ssh_session client = connect_libssh_client(&house, "mira");
    int tries = 0, result = SSH_AUTH_DENIED;
    while (tries < 20 && (result = ssh_userauth_kbdint(client, NULL, NULL)) == SSH_AUTH_INFO) {
        ssh_userauth_kbdint_setanswer(client, 0, "wrong");
        tries++;
        if (ssh_userauth_kbdint(client, NULL, NULL) != SSH_AUTH_DENIED) {
            break;
        }
    }
    assert_int_equal(tries, 6);
    assert_int_equal(result, SSH_AUTH_ERROR);
    ssh_free(client);
    house_close(&house);
}

static void an_ssh_connection_has_one_channel_and_no_subsystem(void **state)
{
    (void)state;
    struct house house;
    house_open(&house, 10);
    ssh_session client = connect_libssh_client(&house, "guest");
    assert_int_equal(ssh_userauth_none(client, NULL), SSH_AUTH_SUCCESS);
    ssh_channel channel = ssh_channel_new(client);
    assert_int_equal(ssh_channel_open_session(channel), SSH_OK);
    ssh_channel second = ssh_channel_new(client);
    assert_int_equal(ssh_channel_open_session(second), SSH_ERROR);
    assert_int_equal(ssh_channel_request_sftp(channel), SSH_ERROR);
    assert_int_equal(ssh_channel_request_env(channel, "LANG", "C"), SSH_OK);
    assert_int_equal(ssh_channel_request_pty_size(channel, "vt100", 0, 0), SSH_OK);
    assert_int_equal(ssh_channel_request_shell(channel), SSH_OK);
    assert_int_equal(ssh_channel_request_shell(channel), SSH_ERROR);
    char text[256] = {0};
    assert_true(ssh_channel_read_timeout(channel, text, sizeof(text) - 1, 0, HOUSE_PATIENCE_MS) >
                0);
    assert_non_null(strstr(text, "80x24 vt100"));
    ssh_disconnect(client);
    ssh_free(client);
    house_close(&house);
}

static void the_gate_offers_only_its_chosen_ssh_algorithms(void **state)
{
    (void)state;
    struct house house;
    house_open(&house, 10);
    ssh_session client = connect_libssh_client(&house, "guest");
    assert_string_equal(ssh_get_kex_algo(client), "curve25519-sha256");
    ssh_disconnect(client);
    ssh_free(client);

    client = ssh_new();
    unsigned int port = house.port;
    const bool process_config = false;
    ssh_options_set(client, SSH_OPTIONS_PROCESS_CONFIG, &process_config);
    ssh_options_set(client, SSH_OPTIONS_HOST, "127.0.0.1");
    ssh_options_set(client, SSH_OPTIONS_PORT, &port);
    ssh_options_set(client, SSH_OPTIONS_KEY_EXCHANGE, "ecdh-sha2-nistp256");
    assert_int_equal(ssh_connect(client), SSH_ERROR);
    ssh_free(client);
    house_close(&house);
}

TEST_GROUP(gate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guest_signs_in_types_and_leaves),
        cmocka_unit_test(the_screen_gets_the_first_message_of_a_restarted_core),
        cmocka_unit_test(every_session_hears_that_the_house_is_away_and_that_it_answers_after_all),
        cmocka_unit_test(a_known_key_signs_in_without_a_question),
        cmocka_unit_test(somebody_with_a_new_key_is_unregistered_and_may_sign_up_with_it),
        cmocka_unit_test(a_denied_key_leads_to_the_password_prompt),
        cmocka_unit_test(a_wrong_password_is_refused_and_the_right_one_signs_in),
        cmocka_unit_test(a_new_window_size_is_limited_and_reaches_the_screen),
        cmocka_unit_test(an_unknown_ssh_command_prints_one_line_and_exits_with_1),
        cmocka_unit_test(a_connection_needs_no_terminal),
        cmocka_unit_test(sessions_outlive_a_core_and_are_handed_to_the_next),
        cmocka_unit_test(a_connection_without_a_core_waits_for_the_next_one),
        cmocka_unit_test(a_full_house_refuses_connections_before_ssh_begins),
        cmocka_unit_test(a_banned_network_may_have_one_connection_before_sign_in),
        cmocka_unit_test(a_stopping_gate_ends_its_sessions_with_a_message),
        cmocka_unit_test(a_session_has_a_lower_priority_than_the_gate),
        cmocka_unit_test(a_session_that_does_not_exit_when_told_to_end_is_killed),
        cmocka_unit_test(a_gate_exits_when_the_core_socket_is_closed_for_good),
        cmocka_unit_test(known_and_unknown_names_get_the_same_prompt),
        cmocka_unit_test(six_wrong_sign_in_tries_end_the_connection),
        cmocka_unit_test(an_ssh_connection_has_one_channel_and_no_subsystem),
        cmocka_unit_test(the_gate_offers_only_its_chosen_ssh_algorithms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
