#include "storage/cluster/cluster.h"

#include "tests/storage/cluster/cluster_fixture.h"
#include "tests/unit.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Which server is taken after a failover: test_standby.c. */

static void servers_that_do_not_answer_are_passed_over(void **state)
{
    struct cluster_fixture *fixture = *state;
    struct cluster_fixture several = *fixture;
    char *host = strstr(fixture->url, "127.0.0.1");

    assert_non_null(host);
    (void)snprintf(several.url, sizeof several.url, "%.*s127.0.0.1:1,%s",
                   (int)(host - fixture->url), fixture->url, host);
    struct cluster *node = cluster_fixture_new(&several, 1);
    cluster_fixture_connect(node);
    cluster_free(node);
}

/* Changes the number of the server's process in its first messages, as poolers do. Each begins with
 * a letter and its length; the one with the number is K. */
static void change_process_number(char *bytes, ssize_t len)
{
    for (ssize_t at = 0; at + 8 < len;) {
        uint32_t size = 0;
        memcpy(&size, &bytes[at + 1], sizeof size);
        if (bytes[at] == 'K') {
            bytes[at + 8] = (char)(bytes[at + 8] ^ 1);
        }
        at += 1 + (ssize_t)ntohl(size);
    }
}

/* Serves one client. The server sends the answer to its start in one piece. */
static void pool(int listener, int server_port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)server_port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int client = accept(listener, NULL, NULL);
    int server = socket(AF_INET, SOCK_STREAM, 0);
    char bytes[8192];
    ssize_t len = 0;
    bool is_open = connect(server, (struct sockaddr *)&address, sizeof address) == 0;
    while (is_open) {
        struct pollfd wanted[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
        (void)poll(wanted, 2, -1);
        if (wanted[0].revents != 0) {
            len = read(client, bytes, sizeof bytes);
            is_open = len > 0 && write(server, bytes, (size_t)len) == len;
        }
        if (is_open && wanted[1].revents != 0) {
            len = read(server, bytes, sizeof bytes);
            change_process_number(bytes, len);
            is_open = len > 0 && write(client, bytes, (size_t)len) == len;
        }
    }
}

static void a_pooler_is_refused_by_name(void **state)
{
    struct cluster_fixture *fixture = *state;
    char url[POSTGRES_RIG_URL_SIZE];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    pid_t pooler = fork();
    if (pooler == 0) {
        pool(listener, fixture->rig.servers[0].port);
        _exit(0);
    }
    (void)snprintf(url, sizeof url, "postgresql://house@127.0.0.1:%d/nodes?sslmode=disable",
                   ntohs(address.sin_port));
    const struct cluster_options options = {.url = url,
                                            .node = 1,
                                            .owner = "",
                                            .address = "",
                                            .key = "",
                                            .version = "",
                                            .lease_ms = 60000};
    struct cluster *node = cluster_new(&options);
    assert_non_null(node);
    assert_int_equal(cluster_connect(node), STORAGE_IO);
    assert_non_null(strstr(node->why, "a pooler such as pgbouncer"));
    cluster_free(node);
    assert_int_equal(close(listener), 0);
    assert_int_equal(waitpid(pooler, NULL, 0), pooler);
}

TEST_GROUP(cluster_servers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(servers_that_do_not_answer_are_passed_over, cluster_fixture_setup),
        cmocka_unit_test_setup(a_pooler_is_refused_by_name, cluster_fixture_setup),
    };
    return cluster_fixture_run(tests, sizeof tests / sizeof *tests);
}
