#include "storage/cluster/cluster.h"

#include "tests/storage/cluster/cluster_fixture.h"
#include "tests/unit.h"

#include <poll.h>
#include <string.h>

static void a_transaction_is_durable_once_a_barrier_has_come_back(void **state)
{
    struct cluster *node = NULL;
    uint64_t durable = UINT64_MAX;

    struct storage *storage = cluster_fixture_join_and_open(*state, 1, &node);
    assert_int_equal(cluster_fixture_write(storage, "one"), STORAGE_OK);
    assert_int_equal(storage_settle(storage, &durable), STORAGE_OK);
    assert_true(durable < storage_last_turn(storage)); /* its barrier is only under way */
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    /* what was committed after the barrier was sent waits for the next one */
    assert_int_equal(cluster_fixture_write(storage, "two"), STORAGE_OK);
    const uint64_t covered = storage_last_turn(storage);
    do {
        assert_int_equal(storage_settle(storage, &durable), STORAGE_OK);
    } while (node->barriers.asked != CLUSTER_ASKS_BARRIER);
    assert_int_equal(cluster_fixture_write(storage, "three"), STORAGE_OK);
    while (durable < covered) {
        (void)poll(NULL, 0, 1);
        assert_int_equal(storage_settle(storage, &durable), STORAGE_OK);
    }
    assert_int_equal(durable, covered);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    storage_close(storage);
    cluster_free(node);
}

static void barriers_keep_the_lease_without_transactions(void **state)
{
    struct cluster *first = NULL;
    struct cluster *second = cluster_fixture_join(*state, 2);

    struct storage *storage = cluster_fixture_join_and_open(*state, 1, &first);
    const int64_t begun_ms = cluster_fixture_clock_ms();
    while (cluster_fixture_clock_ms() - begun_ms < 4 * FIXTURE_LEASE_MS) {
        uint64_t durable;
        assert_int_equal(storage_settle(storage, &durable), STORAGE_OK);
        assert_false(cluster_fixture_watch(second));
        (void)poll(NULL, 0, 20);
    }
    /* the holder also learns which nodes there are */
    assert_int_equal(first->list.count, 2);
    storage_close(storage);
    cluster_free(second);
    cluster_free(first);
}

static void a_holder_whose_lease_has_run_out_can_neither_write_nor_settle(void **state)
{
    struct cluster *first = NULL;
    struct cluster *second = cluster_fixture_join(*state, 2);
    uint64_t durable = UINT64_MAX;

    struct storage *former = cluster_fixture_join_and_open(*state, 1, &first);
    assert_int_equal(cluster_fixture_write(former, "old"), STORAGE_OK);
    assert_int_equal(cluster_fixture_settle(former), STORAGE_OK);
    /* now the first node stands still */
    (void)cluster_fixture_await_house(second);
    struct storage *storage = cluster_fixture_open_house(second);
    cluster_fixture_assert_value(storage, "old");
    assert_int_equal(cluster_fixture_write(storage, "new"), STORAGE_OK);

    assert_int_equal(cluster_fixture_write(former, "late"), STORAGE_IO);
    assert_non_null(strstr(storage_last_failure(former), "another node"));
    cluster_fixture_await_failure(former);
    assert_int_equal(storage_settle(former, &durable), STORAGE_IO); /* for good */
    cluster_fixture_assert_value(storage, "new");
    storage_close(former);
    assert_int_equal(cluster_fixture_write(storage, "newer"), STORAGE_OK);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    storage_close(storage);
    cluster_free(second);
    cluster_free(first);
}

/* All that it has committed is durable, and it does not know of the other node yet. */
static void a_holder_whose_lease_has_run_out_cannot_settle_a_turn_that_only_read(void **state)
{
    struct cluster *first = NULL;
    struct cluster *second = cluster_fixture_join(*state, 2);
    uint64_t durable = 0;

    struct storage *former = cluster_fixture_join_and_open(*state, 1, &first);
    assert_int_equal(cluster_fixture_settle(former), STORAGE_OK);
    (void)cluster_fixture_await_house(second);
    storage_end_turn(former);
    assert_int_equal(cluster_fixture_settle(former), STORAGE_IO);
    assert_int_equal(storage_settle(former, &durable), STORAGE_IO);
    assert_true(durable < storage_last_turn(former));
    storage_close(former);
    cluster_free(second);
    cluster_free(first);
}

static void a_barrier_fails_once_the_nodes_time_has_run_out(void **state)
{
    struct cluster *node = NULL;
    struct storage *storage = cluster_fixture_join_and_open(*state, 1, &node);
    assert_int_equal(cluster_fixture_write(storage, "one"), STORAGE_OK);
    const uint64_t durable_turn = storage_last_turn(storage);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    cluster_fixture_run_sql(*state, "UPDATE cluster.nodes SET until = clock_timestamp()");
    /* nobody has taken the lease, so it can still be written, but not told */
    assert_int_equal(cluster_fixture_write(storage, "two"), STORAGE_OK);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_IO);
    uint64_t durable = UINT64_MAX;
    assert_int_equal(storage_settle(storage, &durable), STORAGE_IO);
    assert_int_equal(durable, durable_turn);
    assert_non_null(strstr(storage_last_failure(storage), "run out"));
    assert_int_equal(cluster_fixture_write(storage, "three"), STORAGE_IO);
    storage_close(storage);
    cluster_free(node);
}

static void a_holder_learns_that_it_is_asked_to_leave_and_finishes_its_work(void **state)
{
    struct cluster *first = NULL;
    struct cluster *second = cluster_fixture_join(*state, 2);
    const int64_t begun_ms = cluster_fixture_clock_ms();

    struct storage *storage = cluster_fixture_join_and_open(*state, 1, &first);
    assert_int_equal(cluster_nodes_hand_over(second, CLUSTER_NOBODY), STORAGE_OK);
    /* however many turns it has */
    while (!first->list.is_asked_to_leave) {
        uint64_t durable = 0;
        assert_int_equal(cluster_fixture_write(storage, "busy"), STORAGE_OK);
        assert_int_equal(storage_settle(storage, &durable), STORAGE_OK);
        assert_true(cluster_fixture_clock_ms() - begun_ms < 4 * FIXTURE_LEASE_MS);
    }
    assert_int_equal(cluster_fixture_write(storage, "last"), STORAGE_OK);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    storage_end_turn(storage);
    uint64_t durable = 0;
    assert_int_equal(storage_settle(storage, &durable), STORAGE_OK); /* a barrier is under way */
    storage_close(storage);
    assert_int_equal(cluster_give_up(first, false), STORAGE_OK);
    assert_true(cluster_fixture_watch(second));
    storage = cluster_fixture_open_house(second);
    cluster_fixture_assert_value(storage, "last");
    storage_close(storage);
    cluster_free(second);
    cluster_free(first);
}

static void the_next_process_of_a_node_fences_the_former_one(void **state)
{
    struct cluster *former = NULL;
    struct storage *old = cluster_fixture_join_and_open(*state, 1, &former);
    struct cluster *next = cluster_fixture_join(*state, 1);
    assert_true(cluster_fixture_watch(next));
    assert_int_equal(cluster_fixture_write(old, "late"), STORAGE_IO);
    cluster_fixture_await_failure(old);
    storage_close(old);
    cluster_free(next);
    cluster_free(former);
}

static void a_dead_connection_fails_the_barrier(void **state)
{
    struct cluster *node = NULL;
    struct storage *storage = cluster_fixture_join_and_open(*state, 1, &node);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_OK);
    cluster_fixture_run_sql(*state, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                    " WHERE query LIKE '%cluster.nodes%'"
                                    " AND pid <> pg_backend_pid()");
    assert_int_equal(cluster_fixture_write(storage, "one"), STORAGE_OK);
    assert_int_equal(cluster_fixture_settle(storage), STORAGE_IO);
    storage_close(storage);
    cluster_free(node);
}

static void a_house_is_only_opened_by_a_node_that_lives(void **state)
{
    struct cluster *node = cluster_fixture_join_and_hold(*state, 1);
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE];

    cluster_fixture_run_sql(*state, "UPDATE cluster.nodes SET until = clock_timestamp()");
    assert_int_equal(cluster_house_open(node, &storage, why), STORAGE_IO);
    assert_null(storage);
    cluster_free(node);
}

static void both_connections_lead_to_the_same_server(void **state)
{
    struct cluster *node = cluster_fixture_join_and_hold(*state, 1);
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE];

    (void)snprintf(node->server, sizeof node->server, "another server");
    assert_int_equal(cluster_house_open(node, &storage, why), STORAGE_IO);
    assert_non_null(strstr(why, "different servers"));
    assert_null(storage);
    cluster_free(node);
}

TEST_GROUP(cluster_house)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_transaction_is_durable_once_a_barrier_has_come_back,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(barriers_keep_the_lease_without_transactions, cluster_fixture_setup),
        cmocka_unit_test_setup(a_holder_whose_lease_has_run_out_can_neither_write_nor_settle,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_holder_whose_lease_has_run_out_cannot_settle_a_turn_that_only_read,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_barrier_fails_once_the_nodes_time_has_run_out,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_holder_learns_that_it_is_asked_to_leave_and_finishes_its_work,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(the_next_process_of_a_node_fences_the_former_one,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_dead_connection_fails_the_barrier, cluster_fixture_setup),
        cmocka_unit_test_setup(a_house_is_only_opened_by_a_node_that_lives, cluster_fixture_setup),
        cmocka_unit_test_setup(both_connections_lead_to_the_same_server, cluster_fixture_setup),
    };
    return cluster_fixture_run(tests, sizeof tests / sizeof *tests);
}
