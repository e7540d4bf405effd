#include "storage/ratings/ratings.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>

/* Returns a valid refund, which each test changes as it needs. */
static struct storage_refund make_refund(struct storage *storage, int64_t account)
{
    return (struct storage_refund){.account = account,
                                   .game = "whist",
                                   .game_id = fixture_add_game(storage, fixture_add_table(storage)),
                                   .at_ms = 100,
                                   .mu = 1.5};
}

static double sum_refunds(struct storage *storage, struct storage_refund refund, int64_t after_ms,
                          int64_t until_ms)
{
    struct storage_rating rating = {
        .account = refund.account, .season = refund.season, .rated_ms = after_ms};
    struct storage_refund_sum sum = {.mu = 77.0};

    (void)snprintf(rating.game, sizeof rating.game, "%s", refund.game);
    assert_ok(storage_refunds_sum(storage, &rating, until_ms, &sum));
    return sum.mu;
}

static void refunds_are_summed_by_account_game_and_season(void **state)
{
    struct fixture *fixture = *state;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    struct storage_refund refund = make_refund(fixture->storage, mira);

    assert_true(sum_refunds(fixture->storage, refund, 0, 1000) == 0.0);
    assert_ok(storage_refund_add(fixture->storage, &refund));
    refund.mu = 0.25;
    assert_ok(storage_refund_add(fixture->storage, &refund));
    refund.mu = 4.0;
    refund.season = 19723;
    assert_ok(storage_refund_add(fixture->storage, &refund));
    refund.season = 0;
    refund.game = "bridge";
    assert_ok(storage_refund_add(fixture->storage, &refund));
    refund.game = "whist";
    refund.account = bob;
    assert_ok(storage_refund_add(fixture->storage, &refund));
    refund.account = mira;
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_true(sum_refunds(fixture->storage, refund, 0, 1000) == 1.75);
    refund.season = 19723;
    assert_true(sum_refunds(fixture->storage, refund, 0, 1000) == 4.0);
}

/* Re-rating goes from game to game: each refund must fall into exactly one interval between
 * games. */
static void a_sum_of_refunds_excludes_its_start_time_and_includes_its_end_time(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_refund refund =
        make_refund(storage, fixture_add_account(storage, "mira", STORAGE_PLAYER));

    for (int i = 0; i < 3; i++) {
        refund.at_ms = 100 + i;
        refund.mu = 1 << i;
        assert_ok(storage_refund_add(storage, &refund));
    }
    assert_true(sum_refunds(storage, refund, 100, 102) == 6.0);
    assert_true(sum_refunds(storage, refund, 100, 101) == 2.0);
    assert_true(sum_refunds(storage, refund, 99, 101) == 3.0);
    assert_true(sum_refunds(storage, refund, 102, 1000) == 0.0);
}

/* Returns the rating that the account of `refund` got back of what it lost in the game to `lost_to`
 * (0: to all opponents). */
static double sum_refunds_of_game(struct storage *storage, struct storage_refund refund,
                                  int64_t lost_to, bool is_refunded_expected)
{
    struct storage_refund_sum sum = {.mu = 77.0, .is_refunded = !is_refunded_expected};

    refund.lost_to = lost_to;
    assert_ok(storage_refund_sum_of_loss(storage, &refund, &sum));
    assert_int_equal(sum.is_refunded, is_refunded_expected);
    return sum.mu;
}

static void refunds_are_found_by_game_and_by_who_gained_the_rating(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t eve = fixture_add_account(storage, "eve", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const struct storage_refund first =
        make_refund(storage, fixture_add_account(storage, "mira", STORAGE_PLAYER));
    struct storage_refund refund = make_refund(storage, first.account);

    assert_true(sum_refunds_of_game(storage, refund, eve, false) == 0.0);
    refund.lost_to = eve;
    assert_ok(storage_refund_add(storage, &refund));
    assert_true(sum_refunds_of_game(storage, refund, eve, true) == 1.5);
    assert_true(sum_refunds_of_game(storage, refund, bob, false) == 1.5);
    assert_true(sum_refunds_of_game(storage, refund, 0, false) == 1.5);
    refund.lost_to = 0;
    refund.mu = 0.5;
    assert_ok(storage_refund_add(storage, &refund));
    assert_true(sum_refunds_of_game(storage, refund, bob, true) == 2.0);
    assert_true(sum_refunds_of_game(storage, refund, 0, true) == 2.0);
    refund.season = 19723;
    assert_true(sum_refunds_of_game(storage, refund, 0, false) == 0.0);
    refund.season = 0;
    refund.account = bob;
    assert_true(sum_refunds_of_game(storage, refund, 0, false) == 0.0);
    assert_true(sum_refunds_of_game(storage, first, 0, false) == 0.0);
    assert_true(sum_refunds_of_game(storage, make_refund(storage, first.account), 0, false) == 0.0);
}

static void deleting_a_games_refunds_leaves_all_others(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const struct storage_refund one = make_refund(storage, mira);
    struct storage_refund two = make_refund(storage, mira);

    two.mu = 0.5;
    assert_ok(storage_refund_add(storage, &one));
    assert_ok(storage_refund_add(storage, &two));
    assert_ok(storage_refunds_delete(storage, one.game_id));
    assert_ok(storage_refunds_delete(storage, one.game_id));
    assert_true(sum_refunds(storage, two, 0, 1000) == 0.5);
}

static void a_refund_for_an_unknown_account_or_game_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_refund refund = make_refund(storage, 77);

    assert_result(storage_refund_add(storage, &refund), STORAGE_REFUSED);
    refund.account = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    refund.game_id += 10;
    assert_result(storage_refund_add(storage, &refund), STORAGE_REFUSED);
}

TEST_GROUP(refunds)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(refunds_are_summed_by_account_game_and_season),
        FIXTURE_TEST(a_sum_of_refunds_excludes_its_start_time_and_includes_its_end_time),
        FIXTURE_TEST(refunds_are_found_by_game_and_by_who_gained_the_rating),
        FIXTURE_TEST(deleting_a_games_refunds_leaves_all_others),
        FIXTURE_TEST(a_refund_for_an_unknown_account_or_game_is_refused),
    };
    return cmocka_run_group_tests_name("refunds", tests, NULL, NULL);
}
