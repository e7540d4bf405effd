#include "fixture.h"

#include "storage/connections.h"
#include "storage/meta.h"
#include "storage/reviews.h"

#include <stdio.h>
#include <string.h>

static bool add_number(void *context, const struct storage_connection *connection)
{
    int64_t *sum = context;

    *sum = *sum * 100 + connection->conn;
    return *sum < 10000;
}

static void a_restarted_core_knows_who_is_signed_in_where(void **state)
{
    struct fixture *fixture = *state;
    struct storage_connection found;
    struct storage_connection connection = {
        .conn = 12,
        .phase = "in",
        .account = fixture_account(fixture->storage, "mira", STORAGE_PLAYER),
        .name = "mira",
        .key_type = "ssh-ed25519",
        .key_fingerprint = "SHA256:abc",
        .table = fixture_table(fixture->storage),
        .address = "192.0.2.1",
        .transport = "ssh",
        .since_ms = INT64_C(1790000000000),
        .is_recovered = true,
    };
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
    connection = (struct storage_connection){.conn = 7, .phase = "door"};
    assert_ok(storage_connection_save(fixture->storage, &connection));
    connection.conn = 13;
    assert_ok(storage_connection_save(fixture->storage, &connection));
    assert_ok(storage_connections_each(fixture->storage, add_number, &sum));
    assert_int_equal(sum, 71213);
    assert_ok(storage_connection_end(fixture->storage, 12));
    assert_ok(storage_connection_end(fixture->storage, 12));
    assert_result(storage_connection_read(fixture->storage, 12, &found), STORAGE_NOT_FOUND);
    sum = 100;
    assert_ok(storage_connections_each(fixture->storage, add_number, &sum));
    assert_int_equal(sum, 10007);
}

static void a_value_of_the_house_is_kept_by_name(void **state)
{
    struct fixture *fixture = *state;
    char value[STORAGE_META_SIZE] = "untouched";

    assert_result(storage_meta_get(fixture->storage, "motd", value), STORAGE_NOT_FOUND);
    assert_string_equal(value, "untouched");
    assert_ok(storage_meta_set(fixture->storage, "motd", "hello"));
    assert_ok(storage_meta_set(fixture->storage, "motd", "welcome"));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_meta_get(fixture->storage, "motd", value));
    assert_string_equal(value, "welcome");
}

static void a_number_is_taken_once(void **state)
{
    struct fixture *fixture = *state;
    int64_t first = 0;

    assert_ok(storage_counter_take(fixture->storage, "guest", 1, &first));
    assert_int_equal(first, 1);
    assert_ok(storage_counter_take(fixture->storage, "guest", 5, &first));
    assert_int_equal(first, 2);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_counter_take(fixture->storage, "guest", 1, &first));
    assert_int_equal(first, 7);
    assert_ok(storage_counter_take(fixture->storage, "connection", 1, &first));
    assert_int_equal(first, 1);
    assert_ok(storage_counter_raise(fixture->storage, "connection", 50));
    assert_ok(storage_counter_raise(fixture->storage, "connection", 40));
    assert_ok(storage_counter_take(fixture->storage, "connection", 1, &first));
    assert_int_equal(first, 50);
    assert_ok(storage_counter_read(fixture->storage, "connection", &first));
    assert_int_equal(first, 51);
    assert_ok(storage_counter_read(fixture->storage, "fresh", &first));
    assert_int_equal(first, 1);
    assert_ok(storage_counter_raise(fixture->storage, "fresh", -4));
    assert_ok(storage_counter_take(fixture->storage, "fresh", 1, &first));
    assert_int_equal(first, 1);
}

static void a_review_lasts_as_long_as_somebody_is_in_it(void **state)
{
    struct fixture *fixture = *state;
    struct storage_connection connection = {.conn = 12, .phase = "in", .review_place = -2};
    struct storage_review review = {.seat = -1};
    struct storage_review found;

    review.game = fixture_game(fixture->storage, fixture_table(fixture->storage));
    assert_ok(storage_review_add(fixture->storage, &review, &review.id));
    connection.review = review.id;
    assert_ok(storage_connection_save(fixture->storage, &connection));
    review.step = 17;
    review.seat = 2;
    assert_ok(storage_review_go(fixture->storage, &review));
    assert_ok(storage_reviews_forget(fixture->storage));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_connection_read(fixture->storage, 12, &connection));
    assert_int_equal(connection.review, review.id);
    assert_int_equal(connection.review_place, -2);
    assert_ok(storage_review_read(fixture->storage, review.id, &found));
    assert_int_equal(found.game, review.game);
    assert_int_equal(found.step, 17);
    assert_int_equal(found.seat, 2);
    assert_ok(storage_connection_end(fixture->storage, 12));
    assert_ok(storage_reviews_forget(fixture->storage));
    assert_result(storage_review_read(fixture->storage, review.id, &found), STORAGE_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_restarted_core_knows_who_is_signed_in_where),
        FIXTURE_TEST(a_value_of_the_house_is_kept_by_name),
        FIXTURE_TEST(a_number_is_taken_once),
        FIXTURE_TEST(a_review_lasts_as_long_as_somebody_is_in_it),
    };

    return cmocka_run_group_tests_name("connections", tests, NULL, NULL);
}
