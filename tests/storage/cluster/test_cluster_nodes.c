#include "storage/cluster/cluster.h"

#include "tests/storage/cluster/cluster_fixture.h"
#include "tests/unit.h"

#include <string.h>

static void the_list_names_all_nodes_and_the_holder(void **state)
{
    struct cluster *first = cluster_fixture_join(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);
    const struct cluster_list *list = &second->list;

    assert_int_equal(list->count, 0);
    assert_int_equal(list->holder, CLUSTER_NOBODY);
    assert_true(cluster_fixture_watch(first));
    assert_int_equal(cluster_nodes_read(second), STORAGE_OK);
    assert_int_equal(list->count, 2);
    assert_int_equal(list->holder, 1);
    assert_int_equal(list->nodes[0].node, 1);
    assert_int_equal(list->nodes[1].node, 2);
    assert_true(list->nodes[1].is_alive);
    assert_string_equal(list->nodes[1].address, "192.0.2.1:4022");
    assert_string_equal(list->nodes[1].key, "ssh-ed25519 AAAA");
    assert_string_equal(list->nodes[1].version, "1.0");
    cluster_free(second);
    cluster_free(first);
}

static void a_node_is_forgotten_once_it_is_gone(void **state)
{
    struct cluster *first = cluster_fixture_join(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);

    assert_int_equal(cluster_nodes_forget(first, 2), STORAGE_REFUSED);
    assert_string_equal(first->why, "node 2 is alive");
    assert_int_equal(cluster_give_up(second, false), STORAGE_OK);
    assert_int_equal(cluster_nodes_forget(first, 2), STORAGE_OK);
    assert_int_equal(cluster_nodes_forget(first, 2), STORAGE_NOT_FOUND);
    assert_int_equal(first->list.count, 1);
    cluster_free(second);
    cluster_free(first);
}

static void a_forgotten_node_leaves_its_lease_to_the_next_one(void **state)
{
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);

    cluster_fixture_run_sql(*state, "UPDATE cluster.nodes SET until = '-infinity'");
    struct cluster *second = cluster_fixture_join(*state, 2);
    assert_false(cluster_fixture_watch(second));
    assert_int_equal(cluster_nodes_forget(second, 1), STORAGE_OK);
    assert_true(cluster_fixture_watch(second));
    cluster_free(second);
    cluster_free(first);
}

static void a_house_that_is_handed_over_goes_to_another_node(void **state)
{
    struct cluster *first = cluster_fixture_join(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);

    assert_int_equal(cluster_nodes_hand_over(second, CLUSTER_NOBODY), STORAGE_NOT_FOUND);
    assert_true(cluster_fixture_watch(first));
    assert_int_equal(cluster_nodes_hand_over(second, CLUSTER_NOBODY), STORAGE_OK);
    /* not even a restarted core of the former holder takes it back */
    assert_int_equal(cluster_register(first), STORAGE_OK);
    assert_false(cluster_fixture_watch(first));
    assert_true(cluster_fixture_watch(second));
    cluster_free(second);
    cluster_free(first);
}

static void a_node_that_does_not_hold_the_house_cannot_hand_it_over(void **state)
{
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);

    assert_int_equal(cluster_nodes_hand_over(second, 2), STORAGE_NOT_FOUND);
    assert_string_equal(second->why, "node 2 does not hold the house");
    assert_int_equal(cluster_nodes_read(second), STORAGE_OK);
    assert_false(second->list.is_asked_to_leave);
    assert_int_equal(cluster_nodes_hand_over(second, 1), STORAGE_OK);
    assert_int_equal(cluster_nodes_read(second), STORAGE_OK);
    assert_true(second->list.is_asked_to_leave);
    cluster_free(second);
    cluster_free(first);
}

static void a_node_that_has_taken_a_house_is_not_asked_to_leave_it(void **state)
{
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);

    assert_int_equal(cluster_nodes_hand_over(second, CLUSTER_NOBODY), STORAGE_OK);
    assert_false(cluster_fixture_watch(second)); /* the first one still holds it */
    assert_true(second->list.is_asked_to_leave);
    assert_int_equal(cluster_give_up(first, false), STORAGE_OK);
    assert_true(cluster_fixture_watch(second));
    assert_int_equal(second->list.holder, 2);
    assert_false(second->list.is_asked_to_leave);
    cluster_free(second);
    cluster_free(first);
}

static void without_another_node_the_house_returns_after_a_leases_time(void **state)
{
    struct cluster *only = cluster_fixture_join_and_hold(*state, 1);

    assert_int_equal(cluster_nodes_hand_over(only, 1), STORAGE_OK);
    assert_in_range(cluster_fixture_await_house(only), FIXTURE_LEASE_MS / 2, FIXTURE_LEASE_MS * 4);
    cluster_free(only);
}

TEST_GROUP(cluster_nodes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_list_names_all_nodes_and_the_holder, cluster_fixture_setup),
        cmocka_unit_test_setup(a_node_is_forgotten_once_it_is_gone, cluster_fixture_setup),
        cmocka_unit_test_setup(a_forgotten_node_leaves_its_lease_to_the_next_one,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_house_that_is_handed_over_goes_to_another_node,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_node_that_does_not_hold_the_house_cannot_hand_it_over,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_node_that_has_taken_a_house_is_not_asked_to_leave_it,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(without_another_node_the_house_returns_after_a_leases_time,
                               cluster_fixture_setup),
    };
    return cluster_fixture_run(tests, sizeof tests / sizeof *tests);
}
