#include "storage/cluster/cluster.h"

#include "tests/storage/cluster/cluster_fixture.h"
#include "tests/unit.h"

#include <string.h>
#include <time.h>

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
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);
    bool is_held = true;

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
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);

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
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);

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
    struct cluster *own = cluster_fixture_join_and_hold(*state, 0);
    struct cluster_fixture *fixture = *state;
    const struct cluster_options options = {.url = fixture->url,
                                            .owner = "another house",
                                            .address = "",
                                            .key = "",
                                            .version = "1.0",
                                            .lease_ms = FIXTURE_LEASE_MS};
    struct cluster *other = cluster_new(&options);

    cluster_fixture_connect(other);
    assert_int_equal(cluster_register(other), STORAGE_TAKEN);
    assert_non_null(other->connection);
    assert_non_null(strstr(other->why, "node 0"));
    assert_int_equal(cluster_give_up(own, false), STORAGE_OK);
    assert_int_equal(cluster_register(other), STORAGE_OK);
    assert_true(cluster_fixture_watch(other));
    cluster_free(other);
    cluster_free(own);
}

static void what_is_given_up_is_taken_at_once(void **state)
{
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);

    assert_int_equal(cluster_give_up(first, false), STORAGE_OK);
    struct cluster *second = cluster_fixture_join(*state, 2);
    assert_true(cluster_fixture_watch(second));
    assert_int_equal(second->list.holder, 2);
    /* the first one has nothing left to give up */
    assert_int_equal(cluster_give_up(first, false), STORAGE_OK);
    assert_true(second->list.holder == 2);
    cluster_free(second);
    cluster_free(first);
}

static void who_leaves_the_house_to_others_does_not_take_it_back_at_once(void **state)
{
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);

    assert_int_equal(cluster_give_up(first, true), STORAGE_OK);
    assert_int_equal(cluster_register(first), STORAGE_OK);
    assert_false(cluster_fixture_watch(first));
    struct cluster *second = cluster_fixture_join(*state, 2);
    assert_true(cluster_fixture_watch(second));
    /* the first one holds nothing that it could leave */
    assert_int_equal(cluster_give_up(first, true), STORAGE_OK);
    assert_int_equal(cluster_nodes_read(second), STORAGE_OK);
    assert_int_equal(second->list.holder, 2);
    assert_false(second->list.is_asked_to_leave);
    cluster_free(second);
    cluster_free(first);
}

static void nodes_that_cannot_open_the_house_do_not_take_it_in_turn(void **state)
{
    struct cluster *first = cluster_fixture_join_and_hold(*state, 1);
    struct cluster *second = cluster_fixture_join(*state, 2);

    assert_int_equal(cluster_give_up_and_pause(first), STORAGE_OK);
    assert_true(cluster_fixture_watch(second)); /* at once */
    assert_int_equal(cluster_give_up_and_pause(second), STORAGE_OK);
    const int64_t begun_ms = cluster_fixture_clock_ms();
    while (cluster_fixture_clock_ms() - begun_ms < 2 * FIXTURE_LEASE_MS) {
        assert_false(cluster_fixture_watch(first));
        assert_false(cluster_fixture_watch(second));
    }
    /* nor do their next processes */
    cluster_free(first);
    first = cluster_fixture_join(*state, 1);
    assert_false(cluster_fixture_watch(first));
    /* one that has not failed takes it at once */
    struct cluster *third = cluster_fixture_join(*state, 3);
    assert_true(cluster_fixture_watch(third));
    assert_true(third->list.nodes[0].has_failed_to_open);
    assert_true(third->list.nodes[1].has_failed_to_open);
    assert_false(third->list.nodes[2].has_failed_to_open);
    cluster_free(third);
    cluster_free(second);
    cluster_free(first);
}

static void a_node_that_could_not_open_the_house_tries_again_after_its_pause(void **state)
{
    struct cluster *node = cluster_fixture_join_and_hold(*state, 1);

    assert_int_equal(cluster_give_up_and_pause(node), STORAGE_OK);
    const int64_t took_ms = cluster_fixture_await_house(node);
    /* up to a quarter shorter or longer */
    assert_in_range(took_ms, (CLUSTER_PAUSE_LEASES * 3 / 4 - 1) * FIXTURE_LEASE_MS,
                    (CLUSTER_PAUSE_LEASES * 5 / 4 + 1) * FIXTURE_LEASE_MS);
    assert_true(node->list.nodes[0].has_failed_to_open);
    /* it can open the data now */
    storage_close(cluster_fixture_open_house(node));
    assert_int_equal(cluster_nodes_read(node), STORAGE_OK);
    assert_false(node->list.nodes[0].has_failed_to_open);
    cluster_free(node);
}

static void another_program_or_owner_does_not_wait_for_the_pause(void **state)
{
    struct cluster_fixture *fixture = *state;
    static const struct {
        const char *owner, *version;
    } next[] = {{"house 1", "1.1"}, {"the house after a restart", "1.0"}};

    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        const struct cluster_options options = {.url = fixture->url,
                                                .node = 1,
                                                .owner = next[i].owner,
                                                .address = "",
                                                .key = "",
                                                .version = next[i].version,
                                                .lease_ms = FIXTURE_LEASE_MS};
        struct cluster *former = cluster_fixture_join_and_hold(*state, 1);
        assert_int_equal(cluster_give_up_and_pause(former), STORAGE_OK);
        assert_int_equal(cluster_give_up(former, false), STORAGE_OK); /* closes */
        struct cluster *node = cluster_new(&options);
        cluster_fixture_register(node);
        assert_true(cluster_fixture_watch(node));
        assert_int_equal(cluster_give_up(node, false), STORAGE_OK);
        cluster_free(node);
        cluster_free(former);
    }
}

/* A barrier locks the table until a standby has answered, and no node may wait behind it. */
static void a_node_connects_while_the_rows_of_the_nodes_are_being_written(void **state)
{
    struct cluster_fixture *fixture = *state;
    struct cluster *first = cluster_fixture_join(*state, 1);
    PGconn *writer = PQconnectdb(fixture->url);
    PGresult *written = PQexec(writer, "BEGIN; UPDATE cluster.nodes SET beat = beat + 1");

    assert_int_equal(PQresultStatus(written), PGRES_COMMAND_OK);
    struct cluster *second = cluster_fixture_join(*state, 2);
    PQclear(written);
    PQfinish(writer);
    cluster_free(second);
    cluster_free(first);
}

static void giving_up_takes_nothing_from_the_next_process_of_the_node(void **state)
{
    struct cluster *former = cluster_fixture_join(*state, 1);
    struct cluster *next = cluster_fixture_join(*state, 1);

    assert_true(cluster_fixture_watch(next));
    assert_int_equal(cluster_give_up(former, false), STORAGE_OK);
    assert_int_equal(cluster_nodes_read(next), STORAGE_OK);
    assert_int_equal(next->list.holder, 1);
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
        .seen.timeline = 7, /* that of the server that has succeeded this one */
        .lease_ms = FIXTURE_LEASE_MS};
    struct cluster *node = cluster_new(&options);

    assert_int_equal(cluster_connect(node), STORAGE_IO);
    assert_int_equal(node->seen.timeline, 7);
    assert_non_null(strstr(node->why, "primary before another"));
    assert_null(node->connection);
    cluster_free(node);
}

/* Settles until the node knows that so many steps are durable: a list of nodes and then a barrier
 * have come back. */
static void await_steps(struct cluster *node, struct storage *house, int64_t steps)
{
    const int64_t begun_ms = cluster_fixture_clock_ms();
    while (node->seen.steps < steps) {
        assert_true(cluster_fixture_clock_ms() - begun_ms < 20 * FIXTURE_LEASE_MS);
        assert_int_equal(cluster_fixture_settle(house), STORAGE_OK);
    }
}

/* Three changes are told, then the database is restored from a copy before the last two. */
static int64_t tell_and_restore(const struct cluster_fixture *fixture, struct cluster *node,
                                struct storage *house)
{
    assert_int_equal(cluster_nodes_read(node), STORAGE_OK);
    const int64_t before = node->read_steps;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cluster_fixture_write(house, "told"), STORAGE_OK);
    }
    assert_int_equal(cluster_fixture_settle(house), STORAGE_OK);
    await_steps(node, house, before + 3);
    storage_close(house);
    cluster_fixture_run_sql(fixture, "UPDATE cluster.leases SET steps = steps - 2");
    return before + 3;
}

static void a_database_restored_from_an_older_copy_is_taken_only_once_accepted(void **state)
{
    struct cluster_fixture *fixture = *state;
    struct cluster *node = NULL;
    bool is_held = false;
    struct storage *house = cluster_fixture_join_and_open(fixture, 1, &node);
    const int64_t told = tell_and_restore(fixture, node, house);

    assert_int_equal(cluster_watch(node, &is_held), STORAGE_REFUSED);
    assert_false(is_held);
    assert_non_null(strstr(node->why, "restored from an older copy"));
    assert_non_null(strstr(node->why, "trickhouse cluster accept"));
    cluster_free(node);
    /* nor does the next process, which knows the steps from the last one */
    const struct cluster_options options = {.url = fixture->url,
                                            .node = 1,
                                            .owner = "house 1",
                                            .address = "",
                                            .key = "",
                                            .version = "",
                                            .seen.steps = told,
                                            .lease_ms = FIXTURE_LEASE_MS};
    node = cluster_new(&options);
    cluster_fixture_connect(node);
    cluster_fixture_register(node);
    assert_int_equal(cluster_watch(node, &is_held), STORAGE_REFUSED);
    assert_false(is_held);
    assert_int_equal(cluster_nodes_accept(node), STORAGE_OK);
    assert_true(cluster_fixture_watch(node));
    cluster_free(node);
}

static void an_open_house_notices_that_its_database_was_restored(void **state)
{
    struct cluster_fixture *fixture = *state;
    struct cluster *node = NULL;
    struct storage *house = cluster_fixture_join_and_open(fixture, 1, &node);

    assert_int_equal(cluster_fixture_write(house, "told"), STORAGE_OK);
    assert_int_equal(cluster_fixture_settle(house), STORAGE_OK);
    await_steps(node, house, 1);
    cluster_fixture_run_sql(fixture, "UPDATE cluster.leases SET steps = steps - 2");
    cluster_fixture_await_failure(house);
    assert_non_null(strstr(node->why, "restored from an older copy"));
    storage_close(house);
    cluster_free(node);
}

/* Otherwise the next house in a new database would be taken for an older copy of the last one. */
static void a_new_database_counts_from_the_time(void **state)
{
    struct cluster *node = cluster_fixture_join_and_hold(*state, 1);

    assert_in_range(node->read_steps, ((int64_t)time(NULL) - 3600) * 1000,
                    ((int64_t)time(NULL) + 3600) * 1000);
    cluster_free(node);
}

TEST_GROUP(cluster)
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
        cmocka_unit_test_setup(nodes_that_cannot_open_the_house_do_not_take_it_in_turn,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_node_that_could_not_open_the_house_tries_again_after_its_pause,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(another_program_or_owner_does_not_wait_for_the_pause,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_node_connects_while_the_rows_of_the_nodes_are_being_written,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(giving_up_takes_nothing_from_the_next_process_of_the_node,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_former_primary_is_refused, cluster_fixture_setup),
        cmocka_unit_test_setup(a_database_restored_from_an_older_copy_is_taken_only_once_accepted,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(an_open_house_notices_that_its_database_was_restored,
                               cluster_fixture_setup),
        cmocka_unit_test_setup(a_new_database_counts_from_the_time, cluster_fixture_setup),
    };
    return cluster_fixture_run(tests, sizeof tests / sizeof *tests);
}
