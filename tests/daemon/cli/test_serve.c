#include "daemon/base/base.h"
#include "daemon/processes/processes.h"
#include "games/macros.h"
#include "tests/daemon/cli/program.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/ports.h"
#include "tests/unit.h"

#include <stdbool.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define DEADLINE_MS 20000

/* Tests a whole house with its real processes, opened as deploy/quickstart opens it. */

static char folder[FOLDER_PATH_MAX];
static char data[FOLDER_PATH_MAX];

static int set_up_folder(void **state)
{
    (void)state;
    return program_make_data_folder(folder, data);
}

static int tear_down_folder(void **state)
{
    (void)state;
    return program_remove_data_folder(folder, data);
}

#define SERVE "serve", "--data", data, "--ssh-port", "0", "--bind", "127.0.0.1", "--detach"

#define SSH_GREETING "SSH-2.0-"

/* Opens the house, and returns the port that it prints. */
static uint16_t open_house(void)
{
    static const char line[] = "The Bell is open: ssh -p ";
    struct program_run run = program_run(ARGS(SERVE, "--name", "The Bell"), NULL);
    assert_int_equal(run.status, 0);
    assert_memory_equal(run.out, line, sizeof line - 1);
    char *end;
    unsigned long port = strtoul(run.out + sizeof line - 1, &end, 10);
    assert_in_range(port, 1, UINT16_MAX);
    assert_string_equal(end, " 127.0.0.1\n");
    program_clear(&run);
    return (uint16_t)port;
}

static int connect_to(uint16_t port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(client, (const struct sockaddr *)&address, sizeof address), 0);
    return client;
}

static void expect_greeting(uint16_t port, const char *greeting)
{
    int client = connect_to(port);
    struct pollfd wanted = {.fd = client, .events = POLLIN};
    char text[8];
    size_t len = strlen(greeting);
    assert_int_equal(poll(&wanted, 1, DEADLINE_MS), 1);
    assert_int_equal(recv(client, text, len, MSG_WAITALL), len);
    assert_memory_equal(text, greeting, len);
    close(client);
}

static void expect_command_result(const char *command, int status, const char *words)
{
    struct program_run run = program_run(ARGS(command, "--data", data), NULL);
    assert_int_equal(run.status, status);
    assert_non_null(strstr(run.out, words));
    program_clear(&run);
}

static void a_house_opens_and_closes_and_opens_again(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        expect_greeting(open_house(), SSH_GREETING);
        expect_command_result("status", 0, "is open");
        expect_command_result("stop", 0, "is closed");
        expect_command_result("status", 1, "No house");
    }
}

static void a_house_with_telnet_prints_both_ways_to_connect(void **state)
{
    (void)state;
    struct program_run run = program_run(ARGS(SERVE, "--telnet-port", "0"), NULL);
    assert_int_equal(run.status, 0);
    const char *telnet = strstr(run.out, " telnet 127.0.0.1 ");
    assert_non_null(strstr(run.out, "ssh -p "));
    assert_non_null(telnet);
    /* a telnet server first offers to echo */
    expect_greeting((uint16_t)strtoul(strrchr(telnet, ' '), NULL, 10), "\377\373\001");
    program_clear(&run);
}

static void a_second_house_with_the_same_data_is_refused_with_the_reason(void **state)
{
    (void)state;
    uint16_t port = open_house();
    struct program_run run = program_run(ARGS(SERVE), NULL);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, "another house is open with these data"));
    program_clear(&run);
    expect_greeting(port, SSH_GREETING);
}

static void a_house_whose_port_is_in_use_fails_at_once(void **state)
{
    (void)state;
    char port[8], other[FOLDER_PATH_MAX];
    snprintf(port, sizeof port, "%u", (unsigned)open_house());
    folder_write_path(other, folder, "other");
    struct program_run run = program_run(
        ARGS("serve", "--data", other, "--ssh-port", port, "--bind", "127.0.0.1", "--detach"),
        NULL);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, "house.log says why"));
    assert_non_null(strstr(run.err, "error: "));
    program_clear(&run);
    pid_t owner;
    assert_int_equal(data_dir_find_supervisor(other, &owner), DATA_DIR_CLOSED);
}

/* Makes a file in the test's folder. */
static void write_file(const char *name, const char *text)
{
    char path[FOLDER_PATH_MAX];
    folder_write_path(path, folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Connects, and expects these words before the house closes the connection. */
static void expect_to_be_sent_away(uint16_t port, const char *words)
{
    char text[1024] = "";
    size_t len = 0;
    ssize_t got;
    int client = connect_to(port);
    struct pollfd wanted = {.fd = client, .events = POLLIN};
    while (poll(&wanted, 1, DEADLINE_MS) == 1 &&
           (got = recv(client, text + len, sizeof text - 1 - len, 0)) > 0) {
        len += (size_t)got;
    }
    close(client);
    for (size_t i = 0; i < len; i++) {
        text[i] = text[i] == '\0' ? ' ' : text[i]; /* telnet's negotiation has zero bytes */
    }
    if (strstr(text, words) == NULL) {
        fail_msg("said: %s", text);
    }
}

static void a_house_that_cannot_reach_its_data_says_so_to_everybody(void **state)
{
    (void)state;
    char conf[FOLDER_PATH_MAX], telnet[8];
    folder_write_path(conf, folder, "wait.conf");
    write_file("wait.conf", "[storage]\nurl = postgresql://house@127.0.0.1:1/house\n");
    uint16_t port = (uint16_t)ports_find_free();
    snprintf(telnet, sizeof telnet, "%u", port);
    struct program_run run =
        program_run(ARGS(SERVE, "--config", conf, "--telnet-port", telnet), NULL);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "waits: connection to server at"));
    assert_null(strstr(run.out, "is open"));
    program_clear(&run);
    expect_command_result("status", 3, "waits: connection to server at");
    expect_to_be_sent_away(port, "The house cannot reach its data at the moment");
    write_file("wait.conf", "[storage]\nurl = postgresql://house@127.0.0.1:2/house\n");
    run = program_run(ARGS("reload", "--data", data), NULL);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, "nothing has changed"));
    assert_non_null(strstr(run.err, "port 2"));
    program_clear(&run);
    write_file("wait.conf", "");
    run = program_run(ARGS("reload", "--data", data), NULL);
    assert_int_equal(run.status, 1); /* there is no house.db */
    program_clear(&run);
    expect_command_result("stop", 0, "closed");
}

static void options_override_the_configuration_file(void **state)
{
    (void)state;
    char path[FOLDER_PATH_MAX];
    folder_write_path(path, folder, "own.conf");
    write_file("own.conf", "[house]\nname = The Anchor\n[listen]\nssh_port = 1\n");
    struct program_run run = program_run(ARGS(SERVE, "--config", path), NULL);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "The Anchor is open"));
    assert_null(strstr(run.out, "ssh -p 1 "));
    program_clear(&run);
}

static void a_faulty_configuration_is_reported_with_its_line(void **state)
{
    (void)state;
    assert_int_equal(mkdir(data, 0700), 0);
    write_file("data/house.conf", "[house]\nname = The Anchor\n[listen]\nport = 1\n");
    struct program_run run = program_run(ARGS(SERVE), NULL);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, "data/house.conf:4: there is no port in [listen]"));
    program_clear(&run);
}

static void wrong_usage_is_reported_in_one_line(void **state)
{
    (void)state;
    program_expect_usage_error(ARGS("serve"), "--data DIR is missing");
    program_expect_usage_error(ARGS("serve", "--data", data, "now"), "\"now\" is no option");
    program_expect_usage_error(ARGS("serve", "--data", data, "--ssh-port", "70000"), "--ssh-port");
    program_expect_usage_error(ARGS("serve", "--data", data, "--telnet-port", "x"),
                               "--telnet-port");
    program_expect_usage_error(ARGS("serve", "--data", data, "--bot-delay", "-1"), "--bot-delay");
    program_expect_usage_error(ARGS("serve", "--data", data, "--detach", "--ready-fd", "3"),
                               "--ready-fd");
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up_folder, tear_down_folder)

static void expect_serve_refusal(const char *words, const char *const *args)
{
    struct program_run run = program_run(args, NULL);
    if (run.status != 1 || strstr(run.err, words) == NULL || run.out_len != 0) {
        fail_msg("status %d, said \"%s\"", run.status, run.err);
    }
    program_clear(&run);
}

static void root_opens_no_house_in_a_folder_that_the_houses_user_cannot_reach(void **state)
{
    (void)state;
    if (geteuid() != 0 || IS_SANITIZED) {
        skip();
    }
    assert_int_equal(chmod(folder, 0700), 0);
    expect_serve_refusal("the user nobody cannot get there: name another folder",
                         ARGS(SERVE, "--user", "nobody"));
    expect_serve_refusal("no-such-user: the house cannot run as this user",
                         ARGS(SERVE, "--user", "no-such-user"));
    expect_serve_refusal("root: the house cannot run as this user", ARGS(SERVE, "--user", "root"));
    expect_command_result("status", 1, "No house");
}

static void other_files_in_a_folder_of_root_keep_their_owner(void **state)
{
    (void)state;
    struct stat status;
    char other[FOLDER_PATH_MAX + 16];
    if (geteuid() != 0 || IS_SANITIZED) {
        skip();
    }
    assert_int_equal(mkdir(data, 0755), 0);
    snprintf(other, sizeof other, "%s/other", data);
    assert_int_equal(mkdir(other, 0755), 0);
    expect_serve_refusal("this folder contains other files and no house", ARGS(SERVE));
    assert_int_equal(stat(data, &status), 0);
    assert_int_equal(status.st_uid, 0);
    snprintf(other, sizeof other, "%s/house.conf", data);
    FILE *file = fopen(other, "we");
    assert_non_null(file);
    fclose(file);
    (void)open_house();
    snprintf(other, sizeof other, "%s/other", data);
    assert_int_equal(stat(other, &status), 0);
    assert_int_equal(status.st_uid, 0);
}

static void a_house_started_by_root_runs_as_the_owner_of_its_folder(void **state)
{
    (void)state;
    struct stat status;
    if (geteuid() != 0 || IS_SANITIZED) {
        skip();
    }
    assert_int_equal(mkdir(data, 0700), 0);
    assert_int_equal(chown(data, 12345, 12346), 0);
    (void)open_house();
    char lock[FOLDER_PATH_MAX + 8];
    snprintf(lock, sizeof lock, "%s/lock", data);
    assert_int_equal(stat(lock, &status), 0);
    assert_int_equal(status.st_uid, 12345);
    assert_int_equal(status.st_gid, 12346);
}

static void a_house_started_by_root_leaves_the_group_of_root(void **state)
{
    (void)state;
    struct stat status;
    const struct passwd *nobody = getpwnam("nobody");
    if (geteuid() != 0 || IS_SANITIZED || nobody == NULL || nobody->pw_gid == 0) {
        skip();
    }
    assert_int_equal(mkdir(data, 0700), 0);
    assert_int_equal(chown(data, nobody->pw_uid, 0), 0);
    (void)open_house();
    char lock[FOLDER_PATH_MAX + 8];
    snprintf(lock, sizeof lock, "%s/lock", data);
    assert_int_equal(stat(lock, &status), 0);
    assert_int_equal(status.st_uid, nobody->pw_uid);
    assert_int_equal(status.st_gid, nobody->pw_gid);
}

static void root_opens_no_house_for_an_owner_who_has_only_the_group_of_root(void **state)
{
    (void)state;
    if (geteuid() != 0 || IS_SANITIZED) {
        skip();
    }
    assert_int_equal(mkdir(data, 0700), 0);
    assert_int_equal(chown(data, 12345, 0), 0); /* no account has this number */
    struct program_run run = program_run(ARGS(SERVE), NULL);
    assert_int_equal(run.status, 1);
    assert_non_null(strstr(run.err, "chgrp"));
    program_clear(&run);
}

TEST_GROUP(serve)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(a_house_opens_and_closes_and_opens_again),
        IN_A_FOLDER(a_house_with_telnet_prints_both_ways_to_connect),
        IN_A_FOLDER(a_second_house_with_the_same_data_is_refused_with_the_reason),
        IN_A_FOLDER(a_house_whose_port_is_in_use_fails_at_once),
        IN_A_FOLDER(a_house_that_cannot_reach_its_data_says_so_to_everybody),
        IN_A_FOLDER(options_override_the_configuration_file),
        IN_A_FOLDER(a_faulty_configuration_is_reported_with_its_line),
        IN_A_FOLDER(wrong_usage_is_reported_in_one_line),
        cmocka_unit_test_setup_teardown(
            root_opens_no_house_in_a_folder_that_the_houses_user_cannot_reach, set_up_folder,
            tear_down_folder),
        cmocka_unit_test_setup_teardown(other_files_in_a_folder_of_root_keep_their_owner,
                                        set_up_folder, tear_down_folder),
        cmocka_unit_test_setup_teardown(a_house_started_by_root_runs_as_the_owner_of_its_folder,
                                        set_up_folder, tear_down_folder),
        cmocka_unit_test_setup_teardown(a_house_started_by_root_leaves_the_group_of_root,
                                        set_up_folder, tear_down_folder),
        cmocka_unit_test_setup_teardown(
            root_opens_no_house_for_an_owner_who_has_only_the_group_of_root, set_up_folder,
            tear_down_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
