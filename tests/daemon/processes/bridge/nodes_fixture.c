#include "nodes_fixture.h"

#include "daemon/base/base.h"
#include "daemon/processes/bridge/bridge.h"
#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/unit.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOG_LINE_SIZE 1024

static int listen_on_loopback(char address[32], uint16_t *port)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof name;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&name, len), 0);
    assert_int_equal(listen(fd, 16), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&name, &len), 0);
    *port = ntohs(name.sin_port);
    (void)snprintf(address, 32, "127.0.0.1:%u", ntohs(name.sin_port));
    return fd;
}

void node_start_bridge(struct node *node, uint64_t rekey_bytes)
{
    node->bridge = fork();
    assert_true(node->bridge >= 0);
    if (node->bridge == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)signal(SIGPIPE, SIG_IGN);
        (void)dup2(fileno(node->log), STDERR_FILENO);
        const struct bridge_setup setup = {
            .core_socket = node->core[1],
            .gate_socket = node->gate[0],
            .worker_count = 1,
            .workers = {{node->auth[0], "auth"}},
            .listener = node->listener,
            .private_key = node->key.private_text,
            .rekey_bytes = rekey_bytes,
        };
        _exit(bridge_run(&setup));
    }
}

/* Passes the bytes of one connection on, in both directions, until one end is closed. */
static void relay_connection(int ends[2])
{
    static char bytes[65536];
    for (;;) {
        struct pollfd wanted[] = {{.fd = ends[0], .events = POLLIN},
                                  {.fd = ends[1], .events = POLLIN}};
        if (poll(wanted, 2, -1) < 1) {
            return;
        }
        for (int i = 0; i < 2; i++) {
            ssize_t len = wanted[i].revents == 0 ? 0 : read(ends[i], bytes, sizeof bytes);
            if (wanted[i].revents != 0 &&
                (len <= 0 || send(ends[1 - i], bytes, (size_t)len, MSG_NOSIGNAL) != len)) {
                return;
            }
        }
    }
}

static int connect_to_loopback(uint16_t port)
{
    const struct sockaddr_in name = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&name, sizeof name) != 0) {
        fd_close_and_reset(&fd);
    }
    return fd;
}

int node_connect(const struct node *node)
{
    int fd = connect_to_loopback(node->port);
    assert_true(fd >= 0);
    return fd;
}

static void run_relay(int listener, uint16_t port)
{
    for (;;) {
        struct pollfd wanted = {.fd = listener, .events = POLLIN};
        (void)poll(&wanted, 1, -1);
        int ends[2] = {accept4(listener, NULL, NULL, 0), connect_to_loopback(port)};
        if (ends[0] >= 0 && ends[1] >= 0) {
            relay_connection(ends);
        }
        fd_close_pair(ends);
    }
}

pid_t node_start_relay(struct node *node)
{
    uint16_t port;
    int listener = listen_on_loopback(node->address, &port);
    pid_t relay = fork();
    assert_true(relay >= 0);
    if (relay == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        run_relay(listener, node->port);
    }
    close(listener);
    return relay;
}

void node_end_relay(pid_t relay)
{
    kill(relay, SIGKILL);
    assert_int_equal(waitpid(relay, NULL, 0), relay);
}

void node_open(struct node *node, unsigned number, uint64_t rekey_bytes)
{
    char folder[FOLDER_PATH_MAX];
    char path[FOLDER_PATH_MAX];
    *node = (struct node){.number = number, .log = tmpfile()};
    assert_non_null(node->log);
    assert_int_equal(fcntl(fileno(node->log), F_SETFL, O_APPEND), 0);
    assert_int_equal(folder_make(folder), 0);
    folder_write_path(path, folder, "node_key");
    assert_true(node_key_load(&node->key, path));
    assert_int_equal(folder_remove(folder), 0);
    node->key_told = node->key.public_text;
    node->listener = listen_on_loopback(node->address, &node->port);
    assert_int_equal(packet_make_socket_pair(node->core), 0);
    assert_int_equal(packet_make_socket_pair(node->gate), 0);
    assert_int_equal(packet_make_socket_pair(node->auth), 0);
    node_start_bridge(node, rekey_bytes);
}

unsigned node_count_logged(const struct node *node, const char *event)
{
    char line[LOG_LINE_SIZE];
    char wanted[64];
    unsigned count = 0;
    (void)snprintf(wanted, sizeof wanted, " event=%s ", event);
    rewind(node->log);
    while (fgets(line, sizeof line, node->log) != NULL) {
        count += strstr(line, wanted) != NULL;
    }
    return count;
}

static void copy_log(const struct node *node)
{
    char line[LOG_LINE_SIZE];
    rewind(node->log);
    while (fgets(line, sizeof line, node->log) != NULL) {
        (void)fputs(line, stderr);
    }
}

void node_kill_bridge(struct node *node)
{
    if (node->bridge != 0) {
        kill(node->bridge, SIGKILL);
        assert_int_equal(waitpid(node->bridge, NULL, 0), node->bridge);
        node->bridge = 0;
    }
}

void node_close(struct node *node)
{
    node_kill_bridge(node);
    fd_close_pair(node->core);
    fd_close_pair(node->gate);
    fd_close_pair(node->auth);
    fd_close(node->listener);
    node_key_clear(&node->key);
    copy_log(node);
    (void)fclose(node->log);
}

void node_tell(struct node *node, unsigned holder, const struct node *const *nodes, size_t count)
{
    static int turn;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, json_pack("{s:i, s:s, s:s, s:b}", "node", (int)nodes[i]->number,
                                              "address", nodes[i]->address, "key",
                                              nodes[i]->key_told, "alive", !nodes[i]->is_dead));
    }
    turn++;
    peer_send(node->core[0],
              json_pack("{s:s, s:i, s:i, s:i, s:o}", "t", "nodes", "turn", turn, "self",
                        (int)node->number, "holder", (int)holder, "nodes", list));
    if (holder == node->number) {
        json_t *released = node_expect(node->core[0], "released", NULL);
        assert_int_equal(json_integer_value(json_object_get(released, "turn")), turn);
        json_decref(released);
    }
}

/* Receives a message if one comes in time; NULL if not. */
static json_t *receive(int socket, int within_ms, int *fd)
{
    static char buffer[PACKET_MAX];
    struct pollfd wanted = {.fd = socket, .events = POLLIN};
    size_t len;
    if (poll(&wanted, 1, within_ms) != 1) {
        return NULL;
    }
    assert_int_equal(packet_receive(socket, buffer, &len, fd), PACKET_OK);
    json_t *message = json_loadb(buffer, len, 0, NULL);
    assert_true(json_is_object(message));
    return message;
}

static bool is_of_type(const json_t *message, const char *type)
{
    return strcmp(json_string_value(json_object_get(message, "t")), type) == 0;
}

json_t *node_expect(int socket, const char *type, int *fd)
{
    int passed = -1;
    json_t *message = receive(socket, FIXTURE_DEADLINE_MS, &passed);
    while (message != NULL && !is_of_type(message, type)) {
        fd_close(passed);
        json_decref(message);
        message = receive(socket, FIXTURE_DEADLINE_MS, &passed);
    }
    if (message == NULL) {
        fail_msg("waited in vain for %s", type);
    }
    if (fd == NULL) {
        fd_close(passed);
    } else {
        *fd = passed;
    }
    return message;
}

void node_expect_none(int socket, const char *type, int within_ms)
{
    int64_t deadline_ms = clock_steady_ms() + within_ms;
    int64_t left_ms;
    while ((left_ms = deadline_ms - clock_steady_ms()) > 0) {
        int fd = -1;
        json_t *message = receive(socket, (int)left_ms, &fd);
        if (message != NULL && is_of_type(message, type)) {
            fail_msg("%s came", type);
        }
        fd_close(fd);
        json_decref(message);
    }
}

struct node_session node_make_session(const struct node *node, int number)
{
    struct node_session session = {.conn = ((int64_t)node->number << 48) + 1000000 + number};
    assert_int_equal(packet_make_socket_pair(session.ends), 0);
    return session;
}

void node_hand_over(const struct node *node, const struct node_session *session)
{
    peer_send_with_descriptor(node->gate[1],
                              json_pack("{s:s, s:I, s:s, s:s}", "t", "connection", "conn",
                                        (json_int_t)session->conn, "address", "192.0.2.7",
                                        "transport", "ssh"),
                              session->ends[0]);
}

int node_attach_gate(const struct node *holder, const struct node *node)
{
    int gate;
    json_t *message = node_expect(holder->core[0], "gate", &gate);
    assert_int_equal(json_integer_value(json_object_get(message, "node")), node->number);
    assert_true(gate >= 0);
    json_decref(message);
    peer_send(gate, json_pack("{s:s}", "t", "resync"));
    json_decref(node_expect(node->gate[1], "resync", NULL));
    peer_send(node->gate[1], json_pack("{s:s}", "t", "hello"));
    json_decref(node_expect(gate, "hello", NULL));
    return gate;
}

int node_expect_session(int gate, const struct node_session *session)
{
    int fd;
    json_t *message = node_expect(gate, "connection", &fd);
    assert_int_equal(json_integer_value(json_object_get(message, "conn")), session->conn);
    assert_true(fd >= 0);
    json_decref(message);
    return fd;
}

static void fill_packet(char *packet, uint32_t n, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        packet[i] = (char)('a' + (n + i) % 26);
    }
    memcpy(packet, &n, sizeof n);
}

void node_send_packet(int socket, uint32_t n, size_t len)
{
    static char packet[PACKET_MAX];
    struct pollfd wanted = {.fd = socket, .events = POLLOUT};
    enum packet_result result;
    fill_packet(packet, n, len);
    while ((result = packet_send(socket, packet, len, -1)) == PACKET_AGAIN) {
        if (poll(&wanted, 1, FIXTURE_DEADLINE_MS) != 1) {
            fail_msg("no room for a packet");
        }
    }
    assert_int_equal(result, PACKET_OK);
}

void node_expect_packet(int socket, uint32_t n, size_t len)
{
    static char expected[PACKET_MAX];
    static char packet[PACKET_MAX];
    struct pollfd wanted = {.fd = socket, .events = POLLIN};
    size_t received;
    if (poll(&wanted, 1, FIXTURE_DEADLINE_MS) != 1) {
        fail_msg("packet %u does not come", n);
    }
    assert_int_equal(packet_receive(socket, packet, &received, NULL), PACKET_OK);
    fill_packet(expected, n, len);
    assert_int_equal(received, len);
    assert_memory_equal(packet, expected, len);
}
