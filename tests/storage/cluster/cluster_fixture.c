#include "tests/storage/cluster/cluster_fixture.h"

#include "storage/house/house.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define PATIENCE_MS 20000 /* longer than any condition takes to come true */
#define LOOK_MS 20

static struct cluster_fixture fixture;

static int start_server(void **state)
{
    postgres_rig_start_alone(&fixture.rig);
    *state = &fixture;
    return 0;
}

static int stop_server(void **state)
{
    (void)state;
    postgres_rig_stop(&fixture.rig);
    return 0;
}

int cluster_fixture_run(const struct CMUnitTest *tests, size_t count)
{
    if (!postgres_rig_is_installed()) {
        return POSTGRES_RIG_SKIPPED;
    }
    return _cmocka_run_group_tests("cluster", tests, count, start_server, stop_server);
}

int cluster_fixture_setup(void **state)
{
    postgres_rig_add_database(&fixture.rig, "nodes");
    postgres_rig_write_server_url(&fixture.rig, 0, "nodes", fixture.url);
    *state = &fixture;
    return 0;
}

int64_t cluster_fixture_clock_ms(void)
{
    struct timespec now;

    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct cluster *cluster_fixture_new(const struct cluster_fixture *from, int node)
{
    static char owners[CLUSTER_NODE_MAX + 1][16];
    char *owner = owners[node];

    (void)snprintf(owner, sizeof owners[node], "house %d", node);
    const struct cluster_options options = {.url = from->url,
                                            .node = node,
                                            .owner = owner,
                                            .address = "192.0.2.1:4022",
                                            .key = "ssh-ed25519 AAAA",
                                            .version = "1.0",
                                            .lease_ms = FIXTURE_LEASE_MS};
    return cluster_new(&options);
}

static void check_patience(const struct cluster *cluster, int64_t begun_ms)
{
    if (cluster_fixture_clock_ms() - begun_ms > PATIENCE_MS) {
        fail_msg("node %d: %s", cluster->options.node, cluster->why);
    }
}

void cluster_fixture_connect(struct cluster *cluster)
{
    const int64_t begun_ms = cluster_fixture_clock_ms();

    while (cluster_connect(cluster) != STORAGE_OK) {
        check_patience(cluster, begun_ms);
    }
}

void cluster_fixture_register(struct cluster *cluster)
{
    const int64_t begun_ms = cluster_fixture_clock_ms();

    do {
        check_patience(cluster, begun_ms);
        cluster_fixture_connect(cluster);
    } while (cluster_register(cluster) != STORAGE_OK);
}

struct cluster *cluster_fixture_join(const struct cluster_fixture *from, int node)
{
    struct cluster *cluster = cluster_fixture_new(from, node);

    cluster_fixture_register(cluster);
    return cluster;
}

bool cluster_fixture_watch(struct cluster *cluster)
{
    bool is_held = false;
    enum storage_result result = cluster_watch(cluster, &is_held);

    if (result == STORAGE_NOT_FOUND) {
        assert_int_equal(cluster_register(cluster), STORAGE_OK);
        result = cluster_watch(cluster, &is_held);
    }
    if (result != STORAGE_OK) {
        fail_msg("node %d: %s", cluster->options.node, cluster->why);
    }
    return is_held;
}

int64_t cluster_fixture_await_house(struct cluster *cluster)
{
    const int64_t begun_ms = cluster_fixture_clock_ms();

    while (!cluster_fixture_watch(cluster)) {
        assert_true(cluster_fixture_clock_ms() - begun_ms < PATIENCE_MS);
        (void)poll(NULL, 0, LOOK_MS);
    }
    return cluster_fixture_clock_ms() - begun_ms;
}

struct storage *cluster_fixture_open_house(struct cluster *cluster)
{
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE] = "";

    if (cluster_house_open(cluster, &storage, why) != STORAGE_OK) {
        fail_msg("%s", why);
    }
    return storage;
}

struct cluster *cluster_fixture_join_and_hold(const struct cluster_fixture *from, int node)
{
    struct cluster *cluster = cluster_fixture_join(from, node);

    assert_true(cluster_fixture_watch(cluster));
    return cluster;
}

struct storage *cluster_fixture_join_and_open(const struct cluster_fixture *from, int node,
                                              struct cluster **holder)
{
    *holder = cluster_fixture_join_and_hold(from, node);
    return cluster_fixture_open_house(*holder);
}

enum storage_result cluster_fixture_settle(struct storage *storage)
{
    const int64_t begun_ms = cluster_fixture_clock_ms();
    uint64_t durable = 0;
    enum storage_result result = storage_settle(storage, &durable);

    while (result == STORAGE_OK && durable < storage_last_turn(storage)) {
        int sockets[STORAGE_SOCKETS_MAX];
        assert_int_equal(storage_sockets(storage, sockets), 1);
        struct pollfd readable = {.fd = sockets[0], .events = POLLIN};
        (void)poll(&readable, 1, LOOK_MS);
        assert_true(cluster_fixture_clock_ms() - begun_ms < PATIENCE_MS);
        result = storage_settle(storage, &durable);
    }
    return result;
}

void cluster_fixture_await_failure(struct storage *storage)
{
    const int64_t begun_ms = cluster_fixture_clock_ms();
    uint64_t durable;

    while (storage_settle(storage, &durable) == STORAGE_OK) {
        assert_true(cluster_fixture_clock_ms() - begun_ms < PATIENCE_MS);
        (void)poll(NULL, 0, LOOK_MS);
    }
}

enum storage_result cluster_fixture_write(struct storage *storage, const char *value)
{
    const enum storage_result result = storage_meta_set(storage, "test", value);

    return result == STORAGE_OK ? storage_commit(storage) : result;
}

void cluster_fixture_assert_value(struct storage *storage, const char *expected)
{
    char value[STORAGE_META_SIZE] = "";

    assert_int_equal(storage_meta_get(storage, "test", value), STORAGE_OK);
    assert_string_equal(value, expected);
}

void cluster_fixture_run_sql(const struct cluster_fixture *from, const char *sql)
{
    (void)from;
    PGconn *connection = PQconnectdb(fixture.url);
    PGresult *done = PQexec(connection, sql);
    const ExecStatusType status = PQresultStatus(done);

    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        fail_msg("%s: %s", sql, PQerrorMessage(connection));
    }
    PQclear(done);
    PQfinish(connection);
}
