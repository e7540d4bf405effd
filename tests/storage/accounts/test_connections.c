#include "tests/storage/fixture.h"

#include "storage/accounts/accounts.h"
#include "tests/unit.h"

static bool collect_connection(void *context, const struct storage_connection *connection)
{
    int64_t *sum = context;

    *sum = *sum * 100 + connection->conn;
    return *sum < 10000;
}

static void a_restarted_core_knows_who_is_signed_in_on_which_connection(void **state)
{
    struct fixture *fixture = *state;
    struct storage_connection found;
    struct storage_connection connection = {
        .conn = 12,
        .phase = "in",
        .account = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER),
        .name = "mira",
        .key_type = "ssh-ed25519",
        .key_fingerprint = "SHA256:abc",
        .table = fixture_add_table(fixture->storage),
        .address = "192.0.2.1",
        .transport = "ssh",
        .since_ms = INT64_C(1790000000000),
        .is_recovered = true,
    };
    char why[STORAGE_BYE_SIZE];
    int64_t sum = 0;

    assert_ok(storage_connection_save(fixture->storage, &connection));
    connection.table = 0;
    assert_ok(storage_connection_save(fixture->storage, &connection));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_connection_read(fixture->storage, 12, &found));
    assert_string_equal(found.phase, "in");
    assert_int_equal(found.account, connection.account);
    assert_string_equal(found.name, "mira");
    assert_string_equal(found.key_type, "ssh-ed25519");
    assert_string_equal(found.key_fingerprint, "SHA256:abc");
    assert_int_equal(found.table, 0);
    assert_string_equal(found.address, "192.0.2.1");
    assert_string_equal(found.transport, "ssh");
    assert_true(found.since_ms == connection.since_ms);
    assert_true(found.is_recovered);
    assert_result(storage_connection_read_goodbye(fixture->storage, 12, why), STORAGE_NOT_FOUND);
    assert_ok(storage_connection_store_goodbye(fixture->storage, 12, "no shouting"));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_connection_read_goodbye(fixture->storage, 12, why));
    assert_string_equal(why, "no shouting");
    assert_ok(storage_connection_store_goodbye(fixture->storage, 99, "nobody"));
    connection = (struct storage_connection){.conn = 7, .phase = "door"};
    assert_ok(storage_connection_save(fixture->storage, &connection));
    connection.conn = 13;
    assert_ok(storage_connection_save(fixture->storage, &connection));
    assert_ok(storage_connections_each(fixture->storage, collect_connection, &sum));
    assert_int_equal(sum, 71213);
    assert_ok(storage_connection_delete(fixture->storage, 12));
    assert_ok(storage_connection_delete(fixture->storage, 12));
    assert_result(storage_connection_read(fixture->storage, 12, &found), STORAGE_NOT_FOUND);
    sum = 100;
    assert_ok(storage_connections_each(fixture->storage, collect_connection, &sum));
    assert_int_equal(sum, 10007);
}

TEST_GROUP(connections)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_restarted_core_knows_who_is_signed_in_on_which_connection),
    };

    return cmocka_run_group_tests_name("connections", tests, NULL, NULL);
}
