#include "daemon/processes/gate.h"

#include "daemon/base/clock.h"
#include "daemon/base/packet.h"
#include "fake_core.h"
#include "games/macros.h"

#include <fcntl.h>
#include <libssh/libssh.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    PATIENCE_MS = 15000
};

/* The screen is fake_ui.c's: the gate and its sessions are what is tested. */

/* The house of a test: a gate, a core, a key for the host and one for a client. */
struct house {
    char folder[64], host_key[96], user_key[96];
    int core_ends[2]; /* the gate's, the core's */
    int log[2];       /* what the core heard */
    uint16_t port;
    pid_t gate, core;
};

static void make_key(const char *path)
{
    ssh_key key = NULL;
    assert_int_equal(ssh_pki_generate(SSH_KEYTYPE_ED25519, 0, &key), SSH_OK);
    assert_int_equal(ssh_pki_export_privkey_file(key, NULL, NULL, NULL, path), SSH_OK);
    assert_int_equal(chmod(path, 0600), 0);
    ssh_key_free(key);
}

static uint16_t read_port(int fd)
{
    char text[16] = {0};
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
    assert_true(read(fd, text, sizeof(text) - 1) > 1);
    close(fd);
    return (uint16_t)atoi(text);
}

static void start_gate(struct house *house, uint32_t sessions_max)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    house->gate = fork();
    assert_true(house->gate >= 0);
    if (house->gate == 0) {
        const struct gate_setup setup = {
            .core_socket = house->core_ends[0],
            .settings = -1,
            .ready_fd = ready[1],
            .host_key = house->host_key,
            .bind_address = "127.0.0.1",
            .sessions_max = sessions_max,
            .first_conn = 100,
        };
        close(house->core_ends[1]);
        close(ready[0]);
        _exit(gate_run(&setup));
    }
    close(ready[1]);
    house->port = read_port(ready[0]);
}

static void open_house(struct house *house, uint32_t sessions_max)
{
    *house = (struct house){.folder = "/tmp/test_gate_XXXXXX"};
    assert_non_null(mkdtemp(house->folder));
    snprintf(house->host_key, sizeof(house->host_key), "%s/host", house->folder);
    snprintf(house->user_key, sizeof(house->user_key), "%s/user", house->folder);
    make_key(house->host_key);
    make_key(house->user_key);
    assert_int_equal(packet_pair(house->core_ends), 0);
    assert_int_equal(pipe2(house->log, O_NONBLOCK), 0);
    start_gate(house, sessions_max);
    house->core = fake_core_start(house->core_ends[1], house->log[1], 0);
    assert_true(house->core > 0);
}

static int wait_for(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void close_house(struct house *house)
{
    kill(house->gate, SIGTERM);
    int status = wait_for(house->gate);
    kill(house->core, SIGKILL);
    wait_for(house->core);
    close(house->core_ends[0]);
    close(house->core_ends[1]);
    close(house->log[0]);
    close(house->log[1]);
    unlink(house->host_key);
    unlink(house->user_key);
    rmdir(house->folder);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* The real ssh client on a pseudo-terminal. */
struct person {
    pid_t pid;
    int terminal;
    char seen[1 << 16];
    size_t len, read_to; /* what an expectation has passed is read */
};

static void ssh_person(struct person *person, const struct house *house, const char *name,
                       const char *key, const char *extra)
{
    struct winsize size = {.ws_row = 30, .ws_col = 100};
    memset(person, 0, sizeof(*person));
    person->pid = forkpty(&person->terminal, NULL, NULL, &size);
    assert_true(person->pid >= 0);
    if (person->pid > 0) {
        return;
    }
    char port[8], user[64];
    snprintf(port, sizeof(port), "%u", house->port);
    snprintf(user, sizeof(user), "%s@127.0.0.1", name);
    setenv("TERM", "xterm-256color", 1);
    execlp("ssh", "ssh", "-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o",
           "UserKnownHostsFile=/dev/null", "-o", "IdentityAgent=none", "-o", "IdentitiesOnly=yes",
           "-i", key == NULL ? "/dev/null" : key, "-p", port, user, extra, (char *)NULL);
    _exit(127);
}

/* False when the terminal closed before. */
static bool sees(struct person *person, const char *text)
{
    int64_t deadline_ms = clock_steady_ms() + PATIENCE_MS;
    for (;;) {
        char *at = strstr(person->seen + person->read_to, text);
        if (at != NULL) {
            person->read_to = (size_t)(at - person->seen) + strlen(text);
            return true;
        }
        struct pollfd ready = {.fd = person->terminal, .events = POLLIN};
        int64_t left_ms = deadline_ms - clock_steady_ms();
        ssize_t got = 0;
        if (left_ms > 0 && poll(&ready, 1, (int)left_ms) == 1) {
            got = read(person->terminal, person->seen + person->len,
                       sizeof(person->seen) - 1 - person->len);
        }
        if (got <= 0) {
            print_message("not seen: %s\nbut: %s\n", text, person->seen + person->read_to);
            return false;
        }
        person->len += (size_t)got;
    }
}

static void type(struct person *person, const char *text)
{
    assert_int_equal(write(person->terminal, text, strlen(text)), strlen(text));
}

/* The client's exit status. */
static int leave(struct person *person)
{
    char rest[4096];
    while (read(person->terminal, rest, sizeof(rest)) > 0) {
    }
    int status = wait_for(person->pid);
    close(person->terminal);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Waits until the core has heard these, in any order, since the last call. */
static bool core_hears(const struct house *house, const char *const lines[3])
{
    static char heard[1 << 14];
    memset(heard, 0, sizeof(heard));
    size_t len = 0;
    int64_t deadline_ms = clock_steady_ms() + PATIENCE_MS;
    bool is_heard = false;
    while (!is_heard && len < sizeof(heard) - 1 && clock_steady_ms() < deadline_ms) {
        struct pollfd ready = {.fd = house->log[0], .events = POLLIN};
        if (poll(&ready, 1, PATIENCE_MS) != 1) {
            break;
        }
        ssize_t got = read(house->log[0], heard + len, sizeof(heard) - 1 - len);
        len += got > 0 ? (size_t)got : 0;
        is_heard = strstr(heard, lines[0]) && strstr(heard, lines[1]) && strstr(heard, lines[2]);
    }
    return is_heard;
}

static void a_guest_comes_in_by_name_types_and_leaves(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "guest", NULL, NULL);
    assert_true(sees(&person, "SCREEN {\"name\":\"guest-7\""));
    assert_true(sees(&person, "100x30 xterm-256color"));
    assert_true(sees(&person, "ANSWER 1"));
    type(&person, "x");
    assert_true(sees(&person, "TYPED x"));
    type(&person, "q");
    assert_true(sees(&person, "GOODBYE"));
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void the_screen_hears_the_first_words_of_a_core_that_came_back(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "stranger", house.user_key, NULL);
    assert_true(sees(&person, "SCREEN"));
    kill(house.core, SIGKILL);
    wait_for(house.core);
    house.core = fake_core_start(house.core_ends[1], house.log[1], 1);
    assert_true(sees(&person, "PUSH welcome"));
    assert_true(sees(&person, "PUSH notice"));
    type(&person, "q");
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void a_known_key_signs_in_without_a_question(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "mira", house.user_key, NULL);
    assert_true(sees(&person, "SCREEN {\"name\":\"mira\""));
    type(&person, "q");
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void a_new_key_makes_a_visitor_who_can_bind_it(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "newcomer", house.user_key, NULL);
    assert_true(sees(&person, "VISITOR \"newcomer\" key 1"));
    type(&person, "q");
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void a_key_that_is_denied_leads_to_the_password(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "taken", house.user_key, NULL);
    assert_true(sees(&person, "Welcome to Trickhouse."));
    assert_true(sees(&person, "Password: "));
    type(&person, "\n");
    assert_true(sees(&person, "VISITOR \"\" key 0"));
    type(&person, "q");
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void a_wrong_password_is_said_and_the_right_one_signs_in(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "mira", NULL, NULL);
    assert_true(sees(&person, "Password: "));
    type(&person, "wrong\n");
    assert_true(sees(&person, "That was not right."));
    assert_true(sees(&person, "Password: "));
    type(&person, "again\n");
    assert_true(sees(&person, "wait 4 s"));
    assert_true(sees(&person, "Password: "));
    type(&person, "correct horse\n");
    assert_true(sees(&person, "SCREEN {\"name\":\"mira\""));
    type(&person, "q");
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void a_window_that_changes_reaches_the_screen_clamped(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "guest", NULL, NULL);
    assert_true(sees(&person, "SCREEN"));
    struct winsize size = {.ws_row = 40, .ws_col = 120};
    assert_int_equal(ioctl(person.terminal, TIOCSWINSZ, &size), 0);
    assert_true(sees(&person, "RESIZED 120x40"));
    size = (struct winsize){.ws_row = 3, .ws_col = 9999};
    assert_int_equal(ioctl(person.terminal, TIOCSWINSZ, &size), 0);
    assert_true(sees(&person, "RESIZED 500x10"));
    type(&person, "q");
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void what_is_no_command_gets_one_line_and_status_1(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "guest", NULL, "uptime");
    assert_true(sees(&person, "no such command"));
    assert_int_equal(leave(&person), 1);
    close_house(&house);
}

static void nobody_needs_a_terminal(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "guest", NULL, "-T");
    assert_true(sees(&person, "ANSWER 1"));
    type(&person, "q\n");
    assert_true(sees(&person, "GOODBYE"));
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void sessions_outlive_a_core_and_are_handed_to_the_next(void **state)
{
    static const char *const first[] = {"gate connection\n", "gate connection", "100 ping"};
    static const char *const again[] = {"gate connection, signed in\n", "gate connections_end",
                                        "100 hello"};
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "mira", house.user_key, NULL);
    assert_true(sees(&person, "ANSWER 1"));
    assert_true(core_hears(&house, first));
    kill(house.core, SIGKILL);
    wait_for(house.core);
    type(&person, "x");
    assert_true(sees(&person, "TYPED x"));
    house.core = fake_core_start(house.core_ends[1], house.log[1], 1);
    assert_true(core_hears(&house, again));
    type(&person, "q");
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void one_who_comes_while_there_is_no_core_waits_for_it(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    kill(house.core, SIGKILL);
    wait_for(house.core);
    ssh_person(&person, &house, "guest", NULL, NULL);
    house.core = fake_core_start(house.core_ends[1], house.log[1], 1);
    assert_true(sees(&person, "SCREEN"));
    type(&person, "q");
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void a_full_house_says_so_before_ssh_begins(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 1);
    ssh_person(&person, &house, "guest", NULL, NULL);
    assert_true(sees(&person, "SCREEN"));
    struct person second;
    ssh_person(&second, &house, "guest", NULL, "-v");
    assert_true(sees(&second, "Trickhouse is full"));
    assert_int_equal(leave(&second), 255);
    type(&person, "q");
    assert_int_equal(leave(&person), 0);
    close_house(&house);
}

static void a_gate_that_is_told_to_stop_ends_its_sessions_with_a_word(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "guest", NULL, NULL);
    assert_true(sees(&person, "SCREEN"));
    kill(house.gate, SIGTERM);
    assert_true(sees(&person, "GOODBYE"));
    assert_true(sees(&person, "The house is closing."));
    leave(&person);
    close_house(&house);
}

static void a_session_that_the_house_has_ended_goes_whatever_it_does(void **state)
{
    static const char drop[] = "{\"t\":\"drop\",\"conn\":100,\"end\":true}";
    struct house house;
    struct person person;
    char path[64];
    int session = 0; /* the gate's only child */
    (void)state;
    open_house(&house, 4);
    ssh_person(&person, &house, "guest", NULL, NULL);
    assert_true(sees(&person, "ANSWER 1"));
    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)house.gate, (int)house.gate);
    FILE *children = fopen(path, "r");
    assert_true(children != NULL && fscanf(children, "%d", &session) == 1);
    fclose(children);
    assert_int_equal(kill(session, SIGSTOP), 0);
    assert_int_equal(send(house.core_ends[1], drop, sizeof(drop) - 1, 0), sizeof(drop) - 1);
    leave(&person);
    close_house(&house);
}

static void a_gate_that_will_never_have_a_core_again_ends(void **state)
{
    (void)state;
    struct house house;
    struct person person;
    open_house(&house, 10);
    ssh_person(&person, &house, "guest", NULL, NULL);
    assert_true(sees(&person, "SCREEN"));
    kill(house.core, SIGKILL);
    close(house.core_ends[1]);
    house.core_ends[1] = -1;
    assert_true(sees(&person, "GOODBYE"));
    leave(&person);
    close_house(&house);
}

/* libssh as a client, for what the ssh program does not do. */
static ssh_session connect_client(const struct house *house, const char *user)
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

static void every_name_gets_the_same_prompt(void **state)
{
    (void)state;
    struct house house;
    open_house(&house, 10);
    static const char *const names[] = {"mira", "nobody-known", "root", "taken", "Ungültig \x01"};
    char first[512] = "";
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        ssh_session client = connect_client(&house, names[i]);
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
    close_house(&house);
}

static void six_wrong_tries_end_the_connection(void **state)
{
    (void)state;
    struct house house;
    open_house(&house, 10);
    ssh_session client = connect_client(&house, "mira");
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
    close_house(&house);
}

static void a_connection_has_one_channel_and_no_subsystem(void **state)
{
    (void)state;
    struct house house;
    open_house(&house, 10);
    ssh_session client = connect_client(&house, "guest");
    assert_int_equal(ssh_userauth_none(client, NULL), SSH_AUTH_SUCCESS);
    ssh_channel channel = ssh_channel_new(client);
    assert_int_equal(ssh_channel_open_session(channel), SSH_OK);
    ssh_channel second = ssh_channel_new(client);
    assert_int_equal(ssh_channel_open_session(second), SSH_ERROR);
    assert_int_equal(ssh_channel_request_sftp(channel), SSH_ERROR);
    assert_int_equal(ssh_channel_request_env(channel, "LANG", "C"), SSH_ERROR);
    assert_int_equal(ssh_channel_request_pty_size(channel, "vt100", 0, 0), SSH_OK);
    assert_int_equal(ssh_channel_request_shell(channel), SSH_OK);
    assert_int_equal(ssh_channel_request_shell(channel), SSH_ERROR);
    char text[256] = {0};
    assert_true(ssh_channel_read_timeout(channel, text, sizeof(text) - 1, 0, PATIENCE_MS) > 0);
    assert_non_null(strstr(text, "80x24 vt100"));
    ssh_disconnect(client);
    ssh_free(client);
    close_house(&house);
}

static void only_the_chosen_algorithms_are_offered(void **state)
{
    (void)state;
    struct house house;
    open_house(&house, 10);
    ssh_session client = connect_client(&house, "guest");
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
    close_house(&house);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guest_comes_in_by_name_types_and_leaves),
        cmocka_unit_test(the_screen_hears_the_first_words_of_a_core_that_came_back),
        cmocka_unit_test(a_known_key_signs_in_without_a_question),
        cmocka_unit_test(a_new_key_makes_a_visitor_who_can_bind_it),
        cmocka_unit_test(a_key_that_is_denied_leads_to_the_password),
        cmocka_unit_test(a_wrong_password_is_said_and_the_right_one_signs_in),
        cmocka_unit_test(a_window_that_changes_reaches_the_screen_clamped),
        cmocka_unit_test(what_is_no_command_gets_one_line_and_status_1),
        cmocka_unit_test(nobody_needs_a_terminal),
        cmocka_unit_test(sessions_outlive_a_core_and_are_handed_to_the_next),
        cmocka_unit_test(one_who_comes_while_there_is_no_core_waits_for_it),
        cmocka_unit_test(a_full_house_says_so_before_ssh_begins),
        cmocka_unit_test(a_gate_that_is_told_to_stop_ends_its_sessions_with_a_word),
        cmocka_unit_test(a_session_that_the_house_has_ended_goes_whatever_it_does),
        cmocka_unit_test(a_gate_that_will_never_have_a_core_again_ends),
        cmocka_unit_test(every_name_gets_the_same_prompt),
        cmocka_unit_test(six_wrong_tries_end_the_connection),
        cmocka_unit_test(a_connection_has_one_channel_and_no_subsystem),
        cmocka_unit_test(only_the_chosen_algorithms_are_offered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
