#include "tests/storage/boards_fixture.h"

#include "storage/ratings/ratings.h"
#include "tests/unit.h"

#include <stdio.h>

static const struct storage_listing listing = BOARDS_LISTING;

/* Ranks are counted by buckets of an eighth of a point, rounded toward zero. 18.95 times 8 is
 * 151.6, which PostgreSQL's CAST would round to 152. */
static void a_rating_counts_in_its_bucket_rounded_toward_zero(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    static const char of_bucket[] = "SELECT coalesce(sum(count), 0) FROM standing_counts"
                                    " WHERE bucket = ";
    static const struct {
        double mu;
        int bucket;
    } cases[] = {{18.95, 151}, {18.875, 151}, {-0.06, 0}, {-18.95, -151}};
    char query[128];

    const int64_t ada = boards_add_account(storage, "ada", 30.0);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct storage_standing standing = boards_make_standing(ada, cases[i].mu);
        assert_ok(storage_standing_put(storage, &standing));
        (void)snprintf(query, sizeof query, "%s%d", of_bucket, cases[i].bucket);
        assert_int_equal(fixture_read_number(storage, query), 1);
        assert_int_equal(fixture_read_number(storage, "SELECT sum(count) FROM standing_counts"), 1);
    }
    assert_ok(storage_standings_delete(storage, ada, "whist"));
    assert_int_equal(fixture_read_number(storage, "SELECT sum(count) FROM standing_counts"), 0);
}

static void an_account_stops_qualifying_first_and_leaves_the_leaderboard_later(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_listing young = listing;
    struct storage_standing standing =
        boards_make_standing(boards_add_account(storage, "ada", 28.0), 28.0);
    int64_t next_ms = 0;

    young.is_young = true;
    assert_ok(storage_standings_update_due(storage, NOW_MS, 9, &next_ms));
    assert_true(next_ms == INT64_MAX);
    standing.listed_until_ms = NOW_MS + 10;
    standing.gone_ms = NOW_MS + 20;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_standings_update_due(storage, NOW_MS + 9, 9, &next_ms));
    assert_true(next_ms == NOW_MS + 10);
    assert_int_equal(boards_count_rows(storage, &listing), 1);
    assert_ok(storage_standings_update_due(storage, NOW_MS + 10, 9, &next_ms));
    assert_true(next_ms == NOW_MS + 20);
    assert_int_equal(boards_count_rows(storage, &listing), 0);
    assert_int_equal(boards_count_rows(storage, &young), 1);
    assert_ok(storage_standings_update_due(storage, NOW_MS + 20, 9, &next_ms));
    assert_true(next_ms == INT64_MAX);
    assert_int_equal(boards_count_rows(storage, &young), 0);
}

static void standings_expire_a_few_at_each_call(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    int64_t next_ms = 0;

    for (int i = 0; i < 5; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%d", i);
        struct storage_standing standing =
            boards_make_standing(boards_add_account(storage, name, 20.0 + i), 20.0 + i);
        standing.listed_until_ms = NOW_MS - 5 + i;
        assert_ok(storage_standing_put(storage, &standing));
    }
    for (uint32_t left = 5; left > 0; left -= left < 2 ? left : 2) {
        assert_int_equal(boards_count_rows(storage, &listing), left);
        assert_ok(storage_standings_update_due(storage, NOW_MS, 2, &next_ms));
    }
    assert_int_equal(boards_count_rows(storage, &listing), 0);
    assert_true(next_ms == INT64_MAX);
}

static void a_standing_replaces_the_earlier_one(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_listing young = listing;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    struct storage_standing standing = boards_make_standing(ada, 26.0);
    double mu = 0.0;
    int64_t next_ms = 0;

    young.is_young = true;
    standing.listed_until_ms = NOW_MS;
    standing.gone_ms = NOW_MS;
    assert_ok(storage_standing_put(storage, &standing));
    standing = boards_make_standing(ada, 27.0);
    standing.is_listed = false;
    assert_ok(storage_standing_put(storage, &standing));
    assert_int_equal(boards_count_rows(storage, &listing), 0);
    assert_int_equal(boards_count_rows(storage, &young), 1);
    assert_ok(storage_leader_read_mu(storage, &young, ada, &mu));
    assert_true(mu == 27.0);
    assert_ok(storage_standings_update_due(storage, NOW_MS, 9,
                                           &next_ms)); /* the new standing never expires */
    assert_true(next_ms == INT64_MAX);
    assert_int_equal(boards_count_rows(storage, &young), 1);
}

/* The time until which a leaderboard lists an account has no effect on an account that is not
 * listed. */
static void the_end_of_a_listing_affects_only_listed_standings(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_standing standing =
        boards_make_standing(boards_add_account(storage, "ada", 28.0), 28.0);
    int64_t next_ms = 0;

    standing.is_listed = false;
    standing.listed_until_ms = NOW_MS + 10;
    standing.gone_ms = NOW_MS + 20;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_standings_update_due(storage, NOW_MS, 9, &next_ms));
    assert_true(next_ms == NOW_MS + 20);
    standing.is_listed = true;
    standing.gone_ms = NOW_MS + 5; /* the account is still listed at this time */
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_standings_update_due(storage, NOW_MS + 5, 9, &next_ms));
    assert_true(next_ms == INT64_MAX);
    assert_int_equal(boards_count_rows(storage, &listing), 0);
}

static void only_standings_that_are_due_expire(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_standing standing =
        boards_make_standing(boards_add_account(storage, "ada", 28.0), 28.0);
    int64_t next_ms = 0;

    (void)boards_add_account(storage, "bob", 27.0);
    standing.listed_until_ms = NOW_MS;
    assert_ok(storage_standing_put(storage, &standing));
    standing = boards_make_standing(boards_add_account(storage, "chen", 26.0), 26.0);
    standing.listed_until_ms = NOW_MS + 1;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_standings_update_due(storage, NOW_MS, 9, &next_ms));
    assert_true(next_ms == NOW_MS + 1);
    assert_int_equal(boards_count_rows(storage, &listing), 2);
}

static void an_account_is_removed_from_all_leaderboards_of_one_game_only(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_listing other = listing, season = listing;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    struct storage_standing standing = boards_make_standing(ada, 28.0);

    other.board.game = standing.board.game = "bridge";
    season.board.span = SEASON;
    assert_ok(storage_standing_put(storage, &standing));
    boards_put_season_standing(storage, ada, 28.0);
    (void)boards_add_account(storage, "bob", 27.0);
    assert_int_equal(boards_count_rows(storage, &season), 1);
    assert_ok(storage_standings_delete(storage, ada, "whist"));
    assert_int_equal(boards_count_rows(storage, &season), 0);
    assert_int_equal(boards_count_rows(storage, &listing), 1);
    assert_int_equal(boards_count_rows(storage, &other), 1);
    assert_ok(storage_standings_delete(storage, ada, "whist"));
}

static void a_standing_for_an_unknown_account_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const struct storage_standing standing = boards_make_standing(77, 28.0);

    assert_result(storage_standing_put(fixture->storage, &standing), STORAGE_REFUSED);
    assert_int_equal(fixture_read_number(fixture->storage, "SELECT count(*) FROM standings"), 0);
}

/* Several standings are due, and each call handles one: the one that was due first. */
static void the_standings_due_first_expire_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_listing young = listing;
    static const char *const names[] = {"ada", "bob", "chen", "dora"};
    static const int64_t ends[] = {-1, -4, -2,
                                   -3}; /* the last two accounts leave the leaderboard */
    int64_t next_ms = 0;

    young.is_young = true;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct storage_standing standing =
            boards_make_standing(boards_add_account(storage, names[i], 28.0), 28.0);
        standing.listed_until_ms = i < 2 ? NOW_MS + ends[i] : 0;
        standing.gone_ms = i < 2 ? 0 : NOW_MS + ends[i];
        assert_ok(storage_standing_put(storage, &standing));
    }
    assert_ok(storage_standings_update_due(storage, NOW_MS, 1, &next_ms));
    assert_true(next_ms == NOW_MS - 2); /* bob no longer qualifies, dora left the leaderboard */
    assert_int_equal(boards_count_rows(storage, &listing), 2);
    assert_int_equal(boards_count_rows(storage, &young), 1);
    assert_ok(storage_standings_update_due(storage, NOW_MS, 1, &next_ms));
    assert_true(next_ms == INT64_MAX);
    assert_int_equal(boards_count_rows(storage, &listing), 0);
    assert_int_equal(boards_count_rows(storage, &young), 2);
}

TEST_GROUP(standings)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_rating_counts_in_its_bucket_rounded_toward_zero),
        FIXTURE_TEST(an_account_stops_qualifying_first_and_leaves_the_leaderboard_later),
        FIXTURE_TEST(standings_expire_a_few_at_each_call),
        FIXTURE_TEST(a_standing_replaces_the_earlier_one),
        FIXTURE_TEST(the_end_of_a_listing_affects_only_listed_standings),
        FIXTURE_TEST(only_standings_that_are_due_expire),
        FIXTURE_TEST(an_account_is_removed_from_all_leaderboards_of_one_game_only),
        FIXTURE_TEST(a_standing_for_an_unknown_account_is_refused),
        FIXTURE_TEST(the_standings_due_first_expire_first),
    };

    return cmocka_run_group_tests_name("standings", tests, NULL, NULL);
}
