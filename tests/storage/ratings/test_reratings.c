#include "storage/ratings/ratings.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#define AT_MS INT64_C(1790000000000)

static void re_rating_jobs_run_oldest_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage_rerating found = {.id = 77};
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));
    const struct storage_rerating one = {.id = 9,
                                         .game = "whist",
                                         .void_id = game,
                                         .phase = STORAGE_RERATING_ACCOUNTS,
                                         .at_ms = AT_MS,
                                         .after_id = 41};
    const struct storage_rerating all = {.game = "bridge"};

    assert_result(storage_rerating_read_oldest(fixture->storage, &found), STORAGE_NOT_FOUND);
    assert_int_equal(found.id, 77);
    assert_ok(storage_rerating_add(fixture->storage, &one));
    assert_ok(storage_rerating_add(fixture->storage, &all));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_rerating_read_oldest(fixture->storage, &found));
    assert_string_equal(found.game, "whist");
    assert_int_equal(found.void_id, game);
    assert_int_equal(found.phase, STORAGE_RERATING_WAITS);
    assert_true(found.at_ms == AT_MS);
    assert_int_equal(found.after_id, 41);
    assert_ok(storage_rerating_delete(fixture->storage, found.id));
    assert_result(storage_rerating_delete(fixture->storage, found.id), STORAGE_NOT_FOUND);
    assert_ok(storage_rerating_read_oldest(fixture->storage, &found));
    assert_string_equal(found.game, "bridge");
    assert_int_equal(found.void_id, 0);
}

static void a_restarted_core_resumes_the_re_rating_job_where_it_stopped(void **state)
{
    struct fixture *fixture = *state;
    struct storage_rerating found, other;
    const struct storage_rerating work = {.game = "whist"}, next = {.game = "bridge"};

    assert_ok(storage_rerating_add(fixture->storage, &work));
    assert_ok(storage_rerating_add(fixture->storage, &next));
    assert_ok(storage_rerating_read_oldest(fixture->storage, &found));
    found.phase = STORAGE_RERATING_ACCOUNTS;
    found.at_ms = AT_MS;
    found.after_id = 12;
    assert_ok(storage_rerating_save(fixture->storage, &found));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_rerating_read_oldest(fixture->storage, &found));
    assert_int_equal(found.phase, STORAGE_RERATING_ACCOUNTS);
    assert_true(found.at_ms == AT_MS);
    assert_int_equal(found.after_id, 12);
    assert_ok(storage_rerating_delete(fixture->storage, found.id));
    assert_result(storage_rerating_save(fixture->storage, &found), STORAGE_NOT_FOUND);
    assert_ok(storage_rerating_read_oldest(fixture->storage, &other));
    assert_int_equal(other.phase, STORAGE_RERATING_WAITS);
}

static void re_rating_results_are_stored_by_account_and_season(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    struct storage_rerating_result rerated = {.account = mira, .mu = 20.0};
    struct storage_rerating_result found = {.account = mira, .season = 19723, .mu = 77.0};

    assert_ok(storage_rerating_result_put(storage, &rerated));
    assert_result(storage_rerating_result_read(storage, &found), STORAGE_NOT_FOUND);
    assert_true(found.mu == 77.0);
    rerated.mu = 21.5;
    rerated.sigma = 3.25;
    rerated.as_of_ms = AT_MS;
    assert_ok(storage_rerating_result_put(storage, &rerated));
    rerated.mu = 30.0;
    rerated.season = 19723;
    assert_ok(storage_rerating_result_put(storage, &rerated));
    found.season = 0;
    assert_ok(storage_rerating_result_read(storage, &found));
    assert_true(found.mu == 21.5 && found.sigma == 3.25 && found.as_of_ms == AT_MS);
    found.season = 19723;
    assert_ok(storage_rerating_result_read(storage, &found));
    assert_true(found.mu == 30.0);
    found.account = bob;
    assert_result(storage_rerating_result_read(storage, &found), STORAGE_NOT_FOUND);
}

static void re_rating_results_are_taken_one_account_at_a_time_until_none_is_left(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t accounts[] = {fixture_add_account(storage, "mira", STORAGE_PLAYER),
                                fixture_add_account(storage, "bob", STORAGE_PLAYER)};
    int64_t account = 77, sum = 0;

    assert_result(storage_rerating_result_find_any_account(storage, &account), STORAGE_NOT_FOUND);
    assert_int_equal(account, 77);
    for (int i = 0; i < 2; i++) {
        for (int season = 0; season < 3; season++) {
            const struct storage_rerating_result rerated = {.account = accounts[i],
                                                            .season = season};
            assert_ok(storage_rerating_result_put(storage, &rerated));
        }
    }
    for (int i = 0; i < 2; i++) {
        assert_ok(storage_rerating_result_find_any_account(storage, &account));
        assert_ok(storage_rerating_results_delete(storage, account));
        sum += account;
    }
    assert_int_equal(sum, accounts[0] + accounts[1]);
    assert_result(storage_rerating_result_find_any_account(storage, &account), STORAGE_NOT_FOUND);
    assert_ok(storage_rerating_results_delete(storage, account));
}

static void every_re_rating_phase_reads_back_as_stored(void **state)
{
    struct fixture *fixture = *state;
    struct storage_rerating work = {.game = "whist"}, found;

    assert_ok(storage_rerating_add(fixture->storage, &work));
    assert_ok(storage_rerating_read_oldest(fixture->storage, &work));
    for (unsigned phase = 0; phase <= STORAGE_RERATING_PHASE_LAST; phase++) {
        work.phase = (enum storage_rerating_phase)phase;
        assert_ok(storage_rerating_save(fixture->storage, &work));
        assert_ok(storage_rerating_read_oldest(fixture->storage, &found));
        assert_int_equal(found.phase, phase);
    }
}

TEST_GROUP(reratings)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(re_rating_jobs_run_oldest_first),
        FIXTURE_TEST(a_restarted_core_resumes_the_re_rating_job_where_it_stopped),
        FIXTURE_TEST(re_rating_results_are_stored_by_account_and_season),
        FIXTURE_TEST(re_rating_results_are_taken_one_account_at_a_time_until_none_is_left),
        FIXTURE_TEST(every_re_rating_phase_reads_back_as_stored),
    };
    return cmocka_run_group_tests_name("reratings", tests, NULL, NULL);
}
