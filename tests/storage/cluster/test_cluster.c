#include "storage/cluster/cluster.h"

#include "tests/storage/cluster/cluster_fixture.h"
#include "tests/unit.h"

#include <string.h>

static void only_one_node_holds_the_house(void **state)
{
    struct cluster *first = cluster_fixture_join(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);

    assert_true(cluster_fixture_watch(first)); /* nobody has held it: at once */
    const int64_t begun_ms = cluster_fixture_clock_ms();
    while (cluster_fixture_clock_ms() - begun_ms < 3 * FIXTURE_LEASE_MS) {
        bool is_held = false;
        assert_false(cluster_fixture_watch(second));
        assert_int_equal(cluster_watch(first, &is_held), STORAGE_OK); /* beats */
    }
    cluster_free(second);
    cluster_free(first);
}

static void another_node_takes_over_after_the_leases_time(void **state)
{
    struct cluster *first = cluster_fixture_join(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);
    bool is_held = true;

    assert_true(cluster_fixture_watch(first));
    const int64_t took_ms = cluster_fixture_await_house(second);
    assert_in_range(took_ms, FIXTURE_LEASE_MS / 2, FIXTURE_LEASE_MS * 4);
    /* the first one's time has run out: it can only register anew, and then it waits */
    assert_int_equal(cluster_watch(first, &is_held), STORAGE_NOT_FOUND);
    assert_false(is_held);
    assert_int_equal(cluster_register(first), STORAGE_OK);
    assert_false(cluster_fixture_watch(first));
    cluster_free(second);
    cluster_free(first);
}

static void a_restarted_core_has_its_own_lease_back_at_once(void **state)
{
    struct cluster *first = cluster_fixture_join(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);

    assert_true(cluster_fixture_watch(first));
    cluster_free(first); /* dies without a word */
    first = cluster_fixture_join(*state, 1);
    assert_true(cluster_fixture_watch(first));
    assert_false(cluster_fixture_watch(second));
    cluster_free(second);
    cluster_free(first);
}

static void
a_node_that_has_just_connected_leaves_a_lease_that_has_run_out_to_its_holder(void **state)
{
    struct cluster *first = cluster_fixture_join(*state, 1);

    assert_true(cluster_fixture_watch(first));
    cluster_fixture_run_sql(*state, "UPDATE cluster.nodes SET until = clock_timestamp()");
    struct cluster *second = cluster_fixture_join(*state, 2);
    assert_false(cluster_fixture_watch(second));
    /* the first one comes back from the same failure a little later */
    cluster_free(first);
    first = cluster_fixture_join(*state, 1);
    assert_true(cluster_fixture_watch(first));
    cluster_free(second);
    cluster_free(first);
}

static void no_other_house_takes_the_number_of_a_node_that_is_alive(void **state)
{
    struct cluster *own = cluster_fixture_join(*state, 0);
    struct cluster_fixture *fixture = *state;
    const struct cluster_options options = {.url = fixture->url,
                                            .owner = "another house",
                                            .address = "",
                                            .key = "",
                                            .version = "1.0",
                                            .lease_ms = FIXTURE_LEASE_MS};
    struct cluster *other = cluster_new(&options);

    assert_true(cluster_fixture_watch(own));
    assert_int_equal(cluster_connect(other), STORAGE_OK);
    assert_int_equal(cluster_register(other), STORAGE_TAKEN);
    assert_true(cluster_is_connected(other));
    assert_non_null(strstr(cluster_failure(other), "node 0"));
    assert_int_equal(cluster_give_up(own), STORAGE_OK);
    assert_int_equal(cluster_register(other), STORAGE_OK);
    assert_true(cluster_fixture_watch(other));
    cluster_free(other);
    cluster_free(own);
}

static void what_is_given_up_is_taken_at_once(void **state)
{
    struct cluster *first = cluster_fixture_join(*state, 1);

    assert_true(cluster_fixture_watch(first));
    assert_int_equal(cluster_give_up(first), STORAGE_OK);
    struct cluster *second = cluster_fixture_join(*state, 2);
    assert_true(cluster_fixture_watch(second));
    assert_int_equal(cluster_nodes(second)->holder, 2);
    /* the first one has nothing left to give up */
    assert_int_equal(cluster_give_up(first), STORAGE_OK);
    assert_true(cluster_nodes(second)->holder == 2);
    cluster_free(second);
    cluster_free(first);
}

static void who_leaves_the_house_to_others_does_not_take_it_back_at_once(void **state)
{
    struct cluster *first = cluster_fixture_join(*state, 1);

    assert_true(cluster_fixture_watch(first));
    assert_int_equal(cluster_leave_to_others(first), STORAGE_OK);
    assert_int_equal(cluster_register(first), STORAGE_OK);
    assert_false(cluster_fixture_watch(first));
    struct cluster *second = cluster_fixture_join(*state, 2);
    assert_true(cluster_fixture_watch(second));
    /* the first one holds nothing that it could leave */
    assert_int_equal(cluster_leave_to_others(first), STORAGE_OK);
    assert_int_equal(cluster_nodes_read(second), STORAGE_OK);
    assert_int_equal(cluster_nodes(second)->holder, 2);
    assert_false(cluster_nodes(second)->is_asked_to_leave);
    cluster_free(second);
    cluster_free(first);
}

static void giving_up_takes_nothing_from_the_next_process_of_the_node(void **state)
{
    struct cluster *former = cluster_fixture_join(*state, 1);
    struct cluster *next = cluster_fixture_join(*state, 1);

    assert_true(cluster_fixture_watch(next));
    assert_int_equal(cluster_give_up(former), STORAGE_OK);
    assert_int_equal(cluster_nodes_read(next), STORAGE_OK);
    assert_int_equal(cluster_nodes(next)->holder, 1);
    cluster_free(next);
    cluster_free(former);
}

static void a_former_primary_is_refused(void **state)
{
    struct cluster_fixture *fixture = *state;
    const struct cluster_options options = {
        .url = fixture->url,
        .owner = "",
        .address = "",
        .key = "",
        .version = "",
        .timeline = 7, /* that of the server that has succeeded this one */
        .lease_ms = FIXTURE_LEASE_MS};
    struct cluster *node = cluster_new(&options);

    assert_int_equal(cluster_connect(node), STORAGE_IO);
    assert_int_equal(cluster_timeline(node), 7);
    assert_non_null(strstr(cluster_failure(node), "primary before another"));
    assert_false(cluster_is_connected(node));
    cluster_free(node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(only_one_node_holds_the_house, cluster_fixture_setup),
        cmocka_unit_test_setup(another_node_takes_over_after_the_leases_time,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_restarted_core_has_its_own_lease_back_at_once,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(
            a_node_that_has_just_connected_leaves_a_lease_that_has_run_out_to_its_holder,
            cluster_fixture_setup),
        cmocka_unit_test_setup(no_other_house_takes_the_number_of_a_node_that_is_alive,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(what_is_given_up_is_taken_at_once, cluster_fixture_setup),
        cmocka_unit_test_setup(who_leaves_the_house_to_others_does_not_take_it_back_at_once,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(giving_up_takes_nothing_from_the_next_process_of_the_node,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_former_primary_is_refused, cluster_fixture_setup),
    };
    return cluster_fixture_run(tests, sizeof tests / sizeof *tests);
}
