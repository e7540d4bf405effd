#include "storage/cluster/cluster.h"

#include "storage/sql/postgres.h"
#include "tests/storage/cluster/cluster_fixture.h"
#include "tests/unit.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* What a holder does whose commits wait for a standby. */

struct pair {
    struct postgres_rig rig;
    struct cluster_fixture fixture;
};

static int start_pair(void **state)
{
    static struct pair pair;

    postgres_rig_start_pair(&pair.rig, true);
    *state = &pair;
    return 0;
}

static int stop_pair(void **state)
{
    struct pair *pair = *state;

    postgres_rig_stop(&pair->rig);
    return 0;
}

/* Makes a new database, in which no node holds the house. */
static int make_database(void **state)
{
    struct pair *pair = *state;

    postgres_rig_add_database(&pair->rig, "nodes");
    postgres_rig_write_url(&pair->rig, "nodes", pair->fixture.url);
    return 0;
}

static void a_barrier_waits_for_the_standby_and_a_commit_does_not(void **state)
{
    struct pair *pair = *state;
    struct cluster *node = NULL;
    struct storage *storage = cluster_fixture_join_and_open(&pair->fixture, 1, &node);

    assert_int_equal(cluster_fixture_write(storage, "one"), STORAGE_OK);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    postgres_rig_pause(&pair->rig, 1);
    const int64_t begun_ms = cluster_fixture_clock_ms();
    assert_int_equal(cluster_fixture_write(storage, "two"), STORAGE_OK);
    assert_true(cluster_fixture_clock_ms() - begun_ms < FIXTURE_LEASE_MS / 4);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_IO);
    assert_string_equal(storage_last_failure(storage), "the database does not answer");
    postgres_rig_resume(&pair->rig, 1);
    storage_close(storage);
    cluster_free(node);
}

/* With the lease of the other tests, the house would have failed after a third of this time. */
static void a_standby_may_be_slower_if_the_lease_is_longer(void **state)
{
    struct pair *pair = *state;
    const struct cluster_options options = {.url = pair->fixture.url,
                                            .node = 1,
                                            .owner = "house 1",
                                            .address = "",
                                            .key = "",
                                            .version = "",
                                            .lease_ms = 16 * FIXTURE_LEASE_MS};
    struct cluster *node = cluster_new(&options);
    cluster_fixture_register(node);
    (void)cluster_fixture_await_house(node);
    struct storage *storage = cluster_fixture_open_house(node);
    uint64_t durable = 0;

    assert_int_equal(cluster_fixture_write(storage, "one"), STORAGE_OK);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    postgres_rig_pause(&pair->rig, 1);
    assert_int_equal(cluster_fixture_write(storage, "two"), STORAGE_OK);
    const int64_t begun_ms = cluster_fixture_clock_ms();
    while (cluster_fixture_clock_ms() - begun_ms < FIXTURE_LEASE_MS) {
        assert_int_equal(storage_settle(storage, &durable), STORAGE_OK);
        (void)poll(NULL, 0, 10);
    }
    postgres_rig_resume(&pair->rig, 1);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    storage_close(storage);
    cluster_free(node);
}

static void a_cancelled_wait_for_the_standby_counts_as_a_failure(void **state)
{
    struct pair *pair = *state;
    struct cluster *node = NULL;
    struct storage *storage = cluster_fixture_join_and_open(&pair->fixture, 1, &node);
    uint64_t durable = 0;

    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    postgres_rig_pause(&pair->rig, 1);
    assert_int_equal(cluster_fixture_write(storage, "one"), STORAGE_OK);
    while (node->barriers.asked != CLUSTER_ASKS_BARRIER) { /* it may ask for the list first */
        assert_int_equal(storage_settle(storage, &durable), STORAGE_OK);
    }
    postgres_rig_run_sql(
        &pair->rig, 0,
        "DO $$ BEGIN"
        " WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep') LOOP"
        " PERFORM pg_stat_clear_snapshot(); END LOOP;"
        " PERFORM pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';"
        " END $$");
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_IO);
    assert_string_equal(storage_last_failure(storage),
                        "somebody has cancelled the wait for a standby");
    postgres_rig_resume(&pair->rig, 1);
    storage_close(storage);
    cluster_free(node);
}

/* A node that tries again and again must not use up the server's connections. */
static void connections_that_a_node_has_given_up_end_on_the_server(void **state)
{
    struct pair *pair = *state;
    struct cluster *node = cluster_fixture_join_and_hold(&pair->fixture, 1);

    postgres_rig_pause(&pair->rig, 1);
    for (int i = 0; i < 4; i++) {
        cluster_fixture_connect(node);
        assert_int_equal(cluster_register(node), STORAGE_IO);
    }
    /* one still waits for the standby, with its lock on the node's row */
    postgres_rig_run_sql(&pair->rig, 0,
                         "DO $$ BEGIN FOR i IN 1 .. 200 LOOP PERFORM pg_stat_clear_snapshot();"
                         " IF (SELECT count(*) FROM pg_stat_activity WHERE datname = 'nodes') <= 1"
                         " THEN RETURN; END IF; PERFORM pg_sleep(0.05); END LOOP;"
                         " RAISE EXCEPTION 'connections are left'; END $$");
    postgres_rig_resume(&pair->rig, 1);
    cluster_free(node);
}

/* A former primary that has woken up says that it takes writes, and stands first in the URL, but no
 * commit ends there. */
static void assert_joins_the_successor(const struct pair *pair, struct cluster *node)
{
    cluster_fixture_register(node);
    assert_int_equal(atoi(node->pq->PQport(node->connection)), pair->rig.servers[1].port);
}

static void the_standby_that_succeeds_the_primary_has_all_that_is_durable(void **state)
{
    struct pair *pair = *state;
    struct cluster *node = NULL;
    struct storage *storage = cluster_fixture_join_and_open(&pair->fixture, 1, &node);
    bool is_held = false;

    assert_int_equal(cluster_fixture_write(storage, "told"), STORAGE_OK);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    postgres_rig_pause(&pair->rig, 0);
    postgres_rig_promote(&pair->rig, 1);
    cluster_fixture_await_failure(storage);
    storage_close(storage);
    /* the same node goes on at the new primary, with its own lease */
    cluster_fixture_register(node);
    assert_int_equal(cluster_watch(node, &is_held), STORAGE_OK);
    assert_true(is_held);
    storage = cluster_fixture_open_house(node);
    cluster_fixture_assert_value(storage, "told");
    assert_int_equal(cluster_fixture_write(storage, "next"), STORAGE_OK);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    storage_close(storage);
    /* the former primary wakes, and no node goes back to it */
    postgres_rig_resume(&pair->rig, 0);
    assert_joins_the_successor(pair, node);
    struct cluster *newcomer = cluster_fixture_new(&pair->fixture, 2);
    assert_joins_the_successor(pair, newcomer);
    assert_int_equal(newcomer->seen.timeline, node->seen.timeline);
    cluster_free(newcomer);
    postgres_rig_kill(&pair->rig, 1);
    assert_int_equal(cluster_connect(node), STORAGE_IO);
    assert_non_null(strstr(node->why, "primary before another"));
    cluster_free(node);
}

TEST_GROUP(standby)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_barrier_waits_for_the_standby_and_a_commit_does_not,
                               make_database),
        cmocka_unit_test_setup(a_standby_may_be_slower_if_the_lease_is_longer, make_database),
        cmocka_unit_test_setup(a_cancelled_wait_for_the_standby_counts_as_a_failure, make_database),
        cmocka_unit_test_setup(connections_that_a_node_has_given_up_end_on_the_server,
                               make_database),
        cmocka_unit_test_setup(the_standby_that_succeeds_the_primary_has_all_that_is_durable,
                               make_database),
    };
    return postgres_rig_is_installed() ? cmocka_run_group_tests(tests, start_pair, stop_pair)
                                       : POSTGRES_RIG_SKIPPED;
}
