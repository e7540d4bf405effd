#include "games/macros.h"
#include "tests/e2e/command.h"
#include "tests/e2e/guests.h"
#include "tests/e2e/house.h"
#include "tests/e2e/line_client.h"
#include "tests/unit.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* People who connect through a proxy: a test that speaks the PROXY protocol, and a real haproxy. */

#define NAME_QUESTION "Your name"
#define WARNING "Telnet is not encrypted"
#define HEADER_TIME_MS 4000
#define HEADER_MAX 64
#define WAITING_MAX 128 /* GATE_PROXY_WAITING_MAX */

struct house {
    struct house_fixture fixture; /* first, so that a house is a fixture too */
    struct house_fixture behind;  /* the same house, with the ports for proxies */
};

static void *open_house(void)
{
    static struct house house;
    char settings[256];
    int ssh_port = house_find_free_port();
    int telnet_port;
    do {
        telnet_port = house_find_free_port();
    } while (telnet_port == ssh_port);
    snprintf(settings, sizeof(settings),
             "[proxy]\nssh_port = %d\ntelnet_port = %d\nnetworks = 127.0.0.1 ::1\n"
             "header_ms = %d\n[telnet]\nnegotiation_ms = 200\n",
             ssh_port, telnet_port, HEADER_TIME_MS);
    house_open_with_settings(&house.fixture, settings);
    house.behind = house.fixture;
    house.behind.port = ssh_port;
    house.behind.telnet_port = telnet_port;
    return &house;
}

static int set_up(void **state)
{
    *state = open_house();
    return 0;
}

static int tear_down(void **state)
{
    house_close(*state);
    return 0;
}

/* Makes the header of a proxy whose client has this IPv4 address. `is_encrypted` adds the TLV with
 * which a proxy tells that the client came through TLS. Returns the length. */
static size_t make_header(uint8_t bytes[HEADER_MAX], const char *address, bool is_encrypted)
{
    static const uint8_t fixed[] = {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51,
                                    0x55, 0x49, 0x54, 0x0a, 0x21, 0x11, 0x00};
    static const uint8_t encrypted[] = {0x20, 0, 5, 0x01, 0, 0, 0, 0};
    size_t tlv_len = is_encrypted ? sizeof(encrypted) : 0;
    memset(bytes, 0, HEADER_MAX);
    memcpy(bytes, fixed, sizeof(fixed));
    bytes[15] = (uint8_t)(12 + tlv_len);
    assert_int_equal(inet_pton(AF_INET, address, bytes + 16), 1);
    memcpy(bytes + 28, encrypted, tlv_len);
    return 28 + tlv_len;
}

static struct line_client *connect_from(const struct house *house, const char *address)
{
    uint8_t header[HEADER_MAX];
    struct line_client *client = line_client_open_socket(&house->behind);
    line_client_send(client, header, make_header(header, address, false));
    return client;
}

/* Fails unless the connection is closed without a byte sent. */
static void expect_closed_without_answer(int client)
{
    char byte;
    struct pollfd ready = {.fd = client, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, TERMINAL_DEADLINE_MS), 1);
    assert_true(read(client, &byte, 1) <= 0);
    close(client);
}

static void expect_enters(const struct house *house, const char *address)
{
    struct line_client *client = connect_from(house, address);
    line_client_expect(client, NAME_QUESTION);
    line_client_free(client);
}

static void a_client_has_the_address_that_its_proxy_tells(void **state)
{
    const struct house *house = *state;
    uint8_t header[HEADER_MAX];
    struct line_client *client = line_client_open_socket(&house->behind);
    size_t len = make_header(header, "192.0.2.7", false);
    for (size_t i = 0; i < len; i++) {
        line_client_send(client, header + i, 1);
    }
    line_client_expect(client, WARNING);
    line_client_expect(client, NAME_QUESTION);
    house_wait_for_log_lines(&house->fixture, "event=open transport=telnet address=192.0.2.7", 1);
    line_client_free(client);
}

static void a_client_whose_proxy_speaks_tls_is_not_warned_of_telnet(void **state)
{
    const struct house *house = *state;
    uint8_t header[HEADER_MAX];
    struct line_client *client = line_client_open_socket(&house->behind);
    line_client_send(client, header, make_header(header, "192.0.2.8", true));
    line_client_expect(client, NAME_QUESTION);
    assert_false(line_client_has_read(client, WARNING));
    line_client_free(client);
}

static void only_the_trusted_networks_may_connect(void **state)
{
    const struct house *house = *state;
    uint8_t header[HEADER_MAX];
    int stranger = house_connect_socket(house->behind.telnet_port, 2);
    size_t len = make_header(header, "192.0.2.9", false);
    (void)send(stranger, header, len, MSG_NOSIGNAL); /* the house may have closed it already */
    expect_closed_without_answer(stranger);
    house_wait_for_log_lines(&house->fixture, "address=127.0.0.2 why=not-a-proxy", 1);
    assert_int_equal(house_count_log_lines(&house->fixture, "192.0.2.9"), 0);
}

static void other_bytes_than_a_header_close_the_connection(void **state)
{
    static const char *const wrong[] = {"SSH-2.0-somebody\r\n", "PROXY TCP4 192.0.2.1 127.0.0.1 "
                                                                "1 2\r\n"};
    const struct house *house = *state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        int client = house_connect_socket(house->behind.port, 1);
        assert_true(write(client, wrong[i], strlen(wrong[i])) > 0);
        expect_closed_without_answer(client);
    }
    house_wait_for_log_lines(&house->fixture, "address=127.0.0.1 why=no-proxy-header", 1);
}

static void a_check_by_the_proxy_itself_gets_no_answer(void **state)
{
    const struct house *house = *state;
    uint8_t header[HEADER_MAX];
    make_header(header, "0.0.0.0", false);
    header[12] = 0x20;
    header[15] = 0;
    int refused = house_count_log_lines(&house->fixture, "event=refuse");
    int proxy = house_connect_socket(house->behind.port, 1);
    assert_int_equal(write(proxy, header, 16), 16);
    expect_closed_without_answer(proxy);
    house_expect_log_lines(&house->fixture, "event=refuse", refused);
}

static void a_slow_proxy_delays_nobody_and_is_closed(void **state)
{
    const struct house *house = *state;
    uint8_t header[HEADER_MAX];
    make_header(header, "192.0.2.11", false);
    int slow = house_connect_socket(house->behind.telnet_port, 1);
    assert_int_equal(write(slow, header, 20), 20);
    struct line_client *client = connect_from(house, "192.0.2.12");
    line_client_expect(client, NAME_QUESTION);
    struct pollfd ready = {.fd = slow, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 0), 0);
    expect_closed_without_answer(slow);
    house_wait_for_log_lines(&house->fixture, "address=127.0.0.1 why=proxy-too-slow", 1);
    line_client_free(client);
}

static void only_so_many_connections_wait_for_their_proxy(void **state)
{
    const struct house *house = *state;
    int waiting[WAITING_MAX];
    for (size_t i = 0; i < WAITING_MAX; i++) {
        waiting[i] = house_connect_socket(house->behind.telnet_port, 1);
    }
    int refused = house_connect_socket(house->behind.telnet_port, 1);
    expect_closed_without_answer(refused);
    house_wait_for_log_lines(&house->fixture, "address=127.0.0.1 why=too-many-from-proxies", 1);
    for (size_t i = 0; i < WAITING_MAX; i++) {
        close(waiting[i]);
    }
    expect_enters(house, "192.0.2.31");
}

static void the_limits_count_clients_and_not_their_proxy(void **state)
{
    const struct house *house = *state;
    struct line_client *clients[5];
    for (size_t i = 0; i < ARRAY_LEN(clients); i++) {
        clients[i] = connect_from(house, "198.51.100.5");
        line_client_expect(clients[i], i < 4 ? NAME_QUESTION : "Too many connections");
    }
    expect_enters(house, "198.51.100.6");
    for (size_t i = 0; i < ARRAY_LEN(clients); i++) {
        line_client_free(clients[i]);
    }
}

static void a_banned_network_meets_the_client_and_not_its_proxy(void **state)
{
    const struct house *house = *state;
    char data[128];
    struct command_result result;
    snprintf(data, sizeof(data), "%s/data", house->fixture.folder);
    command_run(&house->fixture,
                (const char *const[]){getenv("TRICKHOUSE"), "admin", "--data", data, "ban",
                                      "ip=203.0.113.0/24", "1d", "flood", NULL},
                &result);
    command_assert_result(&result, 0, "203.0.113.0/24");
    struct line_client *first = connect_from(house, "203.0.113.7");
    line_client_expect(first, NAME_QUESTION);
    struct line_client *second = connect_from(house, "203.0.113.8");
    line_client_expect(second, "Your network is banned");
    expect_enters(house, "198.51.100.7");
    line_client_type(first, "guest\r\n");
    line_client_expect(first, "banned");
    line_client_free(first);
    line_client_free(second);
}

static void a_reload_keeps_half_a_header_and_the_ports(void **state)
{
    const struct house *house = *state;
    char data[128];
    uint8_t header[HEADER_MAX];
    struct command_result result;
    struct line_client *client = line_client_open_socket(&house->behind);
    size_t len = make_header(header, "192.0.2.21", false);
    line_client_send(client, header, len / 2);
    snprintf(data, sizeof(data), "%s/data", house->fixture.folder);
    command_run(&house->fixture,
                (const char *const[]){getenv("TRICKHOUSE"), "reload", "--data", data, NULL},
                &result);
    assert_int_equal(result.status, 0);
    house_wait_for_log_lines(&house->fixture, "event=renewed", 1);
    line_client_send(client, header + len / 2, len - len / 2);
    line_client_expect(client, NAME_QUESTION);
    house_wait_for_log_lines(&house->fixture, "event=open transport=telnet address=192.0.2.21", 1);
    expect_enters(house, "192.0.2.22");
    line_client_free(client);
}

/* Starts a haproxy that forwards `ports` to the house's ports for proxies, and waits until it
 * listens. */
static pid_t start_haproxy(const struct house *house, struct house_fixture *ports)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/haproxy.cfg", house->fixture.folder);
    *ports = house->fixture;
    ports->port = house_find_free_port();
    ports->telnet_port = house_find_free_port();
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fprintf(file,
            "defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 1m\n"
            "  timeout server 1m\n"
            "listen ssh\n  bind 127.0.0.1:%d\n  server house 127.0.0.1:%d send-proxy-v2\n"
            "listen telnet\n  bind 127.0.0.1:%d\n"
            "  server house 127.0.0.1:%d send-proxy-v2-ssl check check-send-proxy inter 100ms\n",
            ports->port, house->behind.port, ports->telnet_port, house->behind.telnet_port);
    assert_int_equal(fclose(file), 0);
    pid_t pid =
        command_start(&house->fixture, (const char *const[]){"haproxy", "-db", "-f", path, NULL},
                      NULL, STDIN_FILENO, STDOUT_FILENO);
    long deadline_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    int client;
    while ((client = house_connect_socket(ports->telnet_port, 1)) < 0) {
        assert_in_range(terminal_now_ms(), 0, deadline_ms);
        (void)poll(NULL, 0, 10);
    }
    close(client);
    return pid;
}

static void people_come_in_through_a_real_haproxy(void **state)
{
    static const char *const from[] = {"-oBindAddress=127.0.0.6", NULL};
    const struct house *house = *state;
    struct house_fixture haproxy;
    pid_t pid = start_haproxy(house, &haproxy);
    const struct connect_setup setup = {.user = "guest", .columns = 90, .options = from};
    struct terminal *by_ssh = house_connect_by_ssh(&haproxy, &setup);
    guests_close_offer(by_ssh);
    terminal_expect(by_ssh, "#lobby");
    struct terminal *by_telnet = house_connect_by_telnet(&haproxy, &setup);
    terminal_expect(by_telnet, WARNING);
    terminal_type_line(by_telnet, "guest");
    guests_close_offer(by_telnet);
    guests_chat(by_ssh, by_telnet, "through the proxy");
    house_wait_for_log_lines(&house->fixture, "event=open transport=ssh address=127.0.0.6", 1);
    assert_int_equal(house_count_log_lines(&house->fixture, "no-proxy-header"), 0);
    terminal_free(by_ssh);
    terminal_free(by_telnet);
    kill(pid, SIGTERM);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

TEST_GROUP(proxy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(people_come_in_through_a_real_haproxy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_client_has_the_address_that_its_proxy_tells, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_client_whose_proxy_speaks_tls_is_not_warned_of_telnet,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_the_trusted_networks_may_connect, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_bytes_than_a_header_close_the_connection, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_check_by_the_proxy_itself_gets_no_answer, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_slow_proxy_delays_nobody_and_is_closed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(only_so_many_connections_wait_for_their_proxy, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_limits_count_clients_and_not_their_proxy, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_banned_network_meets_the_client_and_not_its_proxy, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_reload_keeps_half_a_header_and_the_ports, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
