#include "storage/cluster/cluster.h"

#include "tests/storage/cluster/cluster_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static void a_failure_is_told_without_the_password(void **state)
{
    struct cluster_fixture nowhere = {.url = "postgresql://house:secret@127.0.0.1:1/house"};
    struct cluster *node = cluster_fixture_new(&nowhere, 1);

    (void)state;
    assert_int_equal(cluster_connect(node), STORAGE_IO);
    assert_non_null(strstr(node->why, "127.0.0.1"));
    assert_null(strstr(node->why, "secret"));
    assert_null(strchr(node->why, '\n'));
    cluster_free(node);
}

static void a_server_that_stands_still_is_given_up(void **state)
{
    struct cluster_fixture *fixture = *state;
    struct cluster *node = cluster_fixture_join(*state, 1);

    postgres_rig_pause(&fixture->rig, 0);
    const int64_t begun_ms = cluster_fixture_clock_ms();
    assert_int_equal(cluster_nodes_read(node), STORAGE_IO);
    assert_in_range(cluster_fixture_clock_ms() - begun_ms, FIXTURE_LEASE_MS / 4,
                    FIXTURE_LEASE_MS * 2);
    assert_string_equal(node->why, "the database does not answer");
    assert_null(node->connection);
    assert_int_equal(cluster_connect(node), STORAGE_IO);
    postgres_rig_resume(&fixture->rig, 0);
    cluster_fixture_connect(node);
    cluster_free(node);
}

static bool go_on_thrice(void *context)
{
    int *calls = context;

    return ++*calls < 3;
}

static void a_wait_can_be_given_up(void **state)
{
    struct cluster_fixture *fixture = *state;
    int calls = 0;
    const struct cluster_options options = {.url = fixture->url,
                                            .owner = "",
                                            .address = "",
                                            .key = "",
                                            .version = "",
                                            .lease_ms = 60000,
                                            .is_to_go_on = go_on_thrice,
                                            .context = &calls};
    struct cluster *node = cluster_new(&options);

    cluster_fixture_connect(node);
    postgres_rig_pause(&fixture->rig, 0);
    assert_int_equal(cluster_nodes_read(node), STORAGE_IO);
    postgres_rig_resume(&fixture->rig, 0);
    assert_int_equal(calls, 3);
    assert_non_null(strstr(node->why, "given up"));
    cluster_free(node);
}

static void an_error_of_the_server_ends_the_connection(void **state)
{
    struct cluster *node = cluster_fixture_join(*state, 1);

    cluster_fixture_run_sql(*state, "ALTER TABLE cluster.leases RENAME TO gone");
    assert_int_equal(cluster_nodes_read(node), STORAGE_IO);
    assert_null(node->connection);
    assert_non_null(strstr(node->why, "does not exist"));
    assert_int_equal(cluster_nodes_read(node), STORAGE_IO);
    cluster_free(node);
}

static void a_warning_counts_as_a_failure(void **state)
{
    struct cluster *node = cluster_fixture_join(*state, 1);

    cluster_fixture_run_sql(*state, "CREATE FUNCTION say() RETURNS trigger LANGUAGE plpgsql AS $$"
                                    " BEGIN RAISE NOTICE 'all is well'; RETURN NEW; END $$;"
                                    "CREATE TRIGGER say BEFORE UPDATE ON cluster.leases"
                                    " FOR EACH ROW EXECUTE FUNCTION say()");
    assert_int_equal(cluster_nodes_accept(node), STORAGE_OK);
    cluster_fixture_run_sql(*state,
                            "CREATE OR REPLACE FUNCTION say() RETURNS trigger LANGUAGE plpgsql AS"
                            " $$ BEGIN RAISE WARNING 'it is not'; RETURN NEW; END $$");
    assert_int_equal(cluster_nodes_accept(node), STORAGE_IO);
    assert_null(node->connection);
    cluster_free(node);
}

TEST_GROUP(cluster_connection)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_failure_is_told_without_the_password, cluster_fixture_setup),
        cmocka_unit_test_setup(a_server_that_stands_still_is_given_up, cluster_fixture_setup),
        cmocka_unit_test_setup(a_wait_can_be_given_up, cluster_fixture_setup),
        cmocka_unit_test_setup(an_error_of_the_server_ends_the_connection, cluster_fixture_setup),
        cmocka_unit_test_setup(a_warning_counts_as_a_failure, cluster_fixture_setup),
    };
    return cluster_fixture_run(tests, sizeof tests / sizeof *tests);
}
