#include "storage/ratings/ratings.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

static void re_rating_jobs_run_in_the_order_of_their_games(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);
    const int64_t games[] = {fixture_add_game(storage, table), fixture_add_game(storage, table)};
    int64_t found = 77;

    assert_result(storage_rerating_find_first(storage, &found), STORAGE_NOT_FOUND);
    assert_int_equal(found, 77);
    assert_ok(storage_rerating_add(storage, games[1]));
    assert_ok(storage_rerating_add(storage, games[0]));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    storage = fixture->storage;
    assert_ok(storage_rerating_find_first(storage, &found));
    assert_int_equal(found, games[0]);
    assert_ok(storage_rerating_delete(storage, found));
    assert_result(storage_rerating_delete(storage, found), STORAGE_NOT_FOUND);
    assert_ok(storage_rerating_find_first(storage, &found));
    assert_int_equal(found, games[1]);
}

TEST_GROUP(reratings)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(re_rating_jobs_run_in_the_order_of_their_games),
    };
    return cmocka_run_group_tests_name("reratings", tests, NULL, NULL);
}
