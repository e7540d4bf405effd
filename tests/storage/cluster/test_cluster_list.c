#include "storage/cluster/cluster.h"

#include "tests/storage/cluster/cluster_fixture.h"
#include "tests/unit.h"

#include <string.h>

static void only_a_different_list_counts_as_a_change(void **state)
{
    struct cluster *first = cluster_fixture_join(*state, 1);

    assert_int_equal(first->list_changes, 0);
    assert_int_equal(cluster_nodes_read(first), STORAGE_OK);
    assert_int_equal(first->list_changes, 1);
    assert_int_equal(cluster_nodes_read(first), STORAGE_OK);
    assert_int_equal(first->list_changes, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);
    assert_int_equal(cluster_nodes_read(first), STORAGE_OK);
    assert_int_equal(first->list_changes, 2);
    assert_true(cluster_fixture_watch(second)); /* another holder */
    assert_int_equal(cluster_nodes_read(first), STORAGE_OK);
    assert_int_equal(first->list_changes, 3);
    cluster_free(second);
    cluster_free(first);
}

static void a_holder_whose_time_has_run_out_holds_nothing(void **state)
{
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);

    assert_int_equal(first->list.holder, 1);
    cluster_fixture_run_sql(*state, "UPDATE cluster.nodes SET until = clock_timestamp()");
    assert_int_equal(cluster_nodes_read(first), STORAGE_OK);
    assert_int_equal(first->list.holder, CLUSTER_NOBODY);
    assert_false(first->list.nodes[0].is_alive);
    cluster_free(first);
}

static void a_waiting_node_looks_again_when_the_holders_time_runs_out(void **state)
{
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);

    assert_int_equal(cluster_watch_pause_ms(second), CLUSTER_VACANT_MS); /* it has seen no holder */
    cluster_fixture_run_sql(
        *state, "UPDATE cluster.nodes SET until = clock_timestamp() + interval '1 hour'");
    assert_int_equal(cluster_nodes_read(second), STORAGE_OK);
    assert_int_equal(cluster_watch_pause_ms(second), CLUSTER_WATCH_MS);
    cluster_fixture_run_sql(
        *state, "UPDATE cluster.nodes SET until = clock_timestamp() + interval '300 ms'");
    assert_int_equal(cluster_nodes_read(second), STORAGE_OK);
    assert_in_range(cluster_watch_pause_ms(second), 1, 301);
    cluster_fixture_run_sql(*state, "UPDATE cluster.nodes SET until = '-infinity'");
    assert_int_equal(cluster_nodes_read(second), STORAGE_OK);
    assert_int_equal(cluster_watch_pause_ms(second), CLUSTER_VACANT_MS);
    cluster_free(second);
    cluster_free(first);
}

TEST_GROUP(cluster_list)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(only_a_different_list_counts_as_a_change, cluster_fixture_setup),
        cmocka_unit_test_setup(a_holder_whose_time_has_run_out_holds_nothing,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_waiting_node_looks_again_when_the_holders_time_runs_out,
                               cluster_fixture_setup),
    };
    return cluster_fixture_run(tests, sizeof tests / sizeof *tests);
}
