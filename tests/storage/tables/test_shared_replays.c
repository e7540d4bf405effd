#include "storage/tables/tables.h"

#include "storage/accounts/accounts.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

static void a_shared_replay_exists_as_long_as_it_has_participants(void **state)
{
    struct fixture *fixture = *state;
    struct storage_connection connection = {.conn = 12, .phase = "in", .review_place = -2};
    struct storage_shared_replay review = {.seat = -1};
    struct storage_shared_replay found;

    review.game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));
    assert_ok(storage_shared_replay_add(fixture->storage, &review, &review.id));
    connection.review = review.id;
    assert_ok(storage_connection_save(fixture->storage, &connection));
    review.step = 17;
    review.seat = 2;
    assert_ok(storage_shared_replay_set_step(fixture->storage, &review));
    assert_ok(storage_shared_replays_delete_empty(fixture->storage));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_connection_read(fixture->storage, 12, &connection));
    assert_int_equal(connection.review, review.id);
    assert_int_equal(connection.review_place, -2);
    assert_ok(storage_shared_replay_read(fixture->storage, review.id, &found));
    assert_int_equal(found.game, review.game);
    assert_int_equal(found.step, 17);
    assert_int_equal(found.seat, 2);
    assert_ok(storage_connection_delete(fixture->storage, 12));
    assert_ok(storage_shared_replays_delete_empty(fixture->storage));
    assert_result(storage_shared_replay_read(fixture->storage, review.id, &found),
                  STORAGE_NOT_FOUND);
}

static void a_step_in_one_shared_replay_does_not_move_the_others(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_shared_replay one = {.seat = -1, .step = 3}, two = {.seat = 1, .step = 4}, found;

    one.game = two.game = fixture_add_game(storage, fixture_add_table(storage));
    assert_ok(storage_shared_replay_add(storage, &one, &one.id));
    assert_ok(storage_shared_replay_add(storage, &two, &two.id));
    assert_int_not_equal(one.id, two.id);
    one.step = 9;
    assert_ok(storage_shared_replay_set_step(storage, &one));
    assert_ok(storage_shared_replay_read(storage, two.id, &found));
    assert_int_equal(found.step, 4);
    assert_int_equal(found.seat, 1);
    one.id = two.id + 1;
    assert_result(storage_shared_replay_set_step(storage, &one), STORAGE_NOT_FOUND);
}

static void a_shared_replay_of_an_unknown_game_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const struct storage_shared_replay review = {.game = 5};
    int64_t id = 0;

    assert_result(storage_shared_replay_add(fixture->storage, &review, &id), STORAGE_REFUSED);
    assert_int_equal(id, 0);
}

static void only_shared_replays_without_participants_are_deleted(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_connection connection = {.conn = 12, .phase = "in"};
    struct storage_shared_replay with = {.seat = -1}, without = {.seat = -1}, found;

    with.game = without.game = fixture_add_game(storage, fixture_add_table(storage));
    assert_ok(storage_shared_replays_delete_empty(storage));
    assert_ok(storage_shared_replay_add(storage, &with, &with.id));
    assert_ok(storage_shared_replay_add(storage, &without, &without.id));
    connection.review = with.id;
    assert_ok(storage_connection_save(storage, &connection));
    connection.conn = 13;
    assert_ok(storage_connection_save(storage, &connection));
    assert_ok(storage_connection_delete(storage, 12));
    assert_ok(storage_shared_replays_delete_empty(storage));
    assert_ok(storage_shared_replay_read(storage, with.id, &found));
    assert_result(storage_shared_replay_read(storage, without.id, &found), STORAGE_NOT_FOUND);
}

TEST_GROUP(shared_replays)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_shared_replay_exists_as_long_as_it_has_participants),
        FIXTURE_TEST(a_step_in_one_shared_replay_does_not_move_the_others),
        FIXTURE_TEST(a_shared_replay_of_an_unknown_game_is_refused),
        FIXTURE_TEST(only_shared_replays_without_participants_are_deleted),
    };

    return cmocka_run_group_tests_name("reviews", tests, NULL, NULL);
}
