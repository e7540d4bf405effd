#include "tests/storage/fixture.h"

#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define DAY_MS INT64_C(86400000)
#define NOW_MS (1000 * DAY_MS)

static struct storage_rating make_rating(int64_t account, double mu)
{
    return (struct storage_rating){.account = account,
                                   .game = "whist",
                                   .mu = mu,
                                   .sigma = 5.0,
                                   .rated_ms = NOW_MS,
                                   .games = 30};
}

static void a_rating_reads_back_as_last_saved(void **state)
{
    struct fixture *fixture = *state;
    struct storage_rating found;
    struct storage_rating rating = {
        .account = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER),
        .game = "whist",
        .mu = 27.123456789012345,
        .sigma = 3.25,
        .rated_ms = NOW_MS,
        .games = 41,
        .wins = 10.5,
        .place_sum = 20.25,
        .stat_hits = 300,
        .stat_chances = 500,
        .finished = 40,
        .left = 1,
        .streak = -3,
        .best_mu = 28.5,
        .best_ms = NOW_MS - 5,
    };

    assert_result(storage_rating_read(fixture->storage, rating.account, "whist", 0, &found),
                  STORAGE_NOT_FOUND);
    assert_ok(storage_rating_save(fixture->storage, &rating));
    rating.games = 42;
    assert_ok(storage_rating_save(fixture->storage, &rating));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_rating_read(fixture->storage, rating.account, "whist", 0, &found));
    assert_true(found.mu == rating.mu && found.sigma == rating.sigma);
    assert_true(found.rated_ms == NOW_MS && found.best_ms == NOW_MS - 5);
    assert_int_equal(found.games, 42);
    assert_true(found.wins == 10.5 && found.place_sum == 20.25 && found.best_mu == 28.5);
    assert_int_equal(found.stat_hits, 300);
    assert_int_equal(found.stat_chances, 500);
    assert_int_equal(found.finished, 40);
    assert_int_equal(found.left, 1);
    assert_int_equal(found.streak, -3);
    assert_result(storage_rating_read(fixture->storage, rating.account, "other", 0, &found),
                  STORAGE_NOT_FOUND);
}

static void a_rating_for_an_unknown_account_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const struct storage_rating rating = make_rating(77, 25.0);

    assert_result(storage_rating_save(fixture->storage, &rating), STORAGE_REFUSED);
}

static void the_most_played_game_is_found(void **state)
{
    struct fixture *fixture = *state;
    struct storage_rating found;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    struct storage_rating rating = make_rating(mira, 25.0);

    rating.games = 0;
    assert_ok(storage_rating_save(fixture->storage, &rating));
    assert_result(storage_rating_read_most_played(fixture->storage, mira, &found),
                  STORAGE_NOT_FOUND);
    rating.games = 4;
    assert_ok(storage_rating_save(fixture->storage, &rating));
    (void)snprintf(rating.game, sizeof rating.game, "bridge");
    rating.games = 9;
    assert_ok(storage_rating_save(fixture->storage, &rating));
    assert_ok(storage_rating_read_most_played(fixture->storage, mira, &found));
    assert_string_equal(found.game, "bridge");
}

static void a_games_rating_changes_are_read_by_seat_and_added_once(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));
    struct storage_rating_change found[STORAGE_SEATS_MAX];
    size_t count = 0;
    struct storage_rating_change change = {
        .game_id = game,
        .seat = 2,
        .account = fixture_add_account(storage, "mira", STORAGE_PLAYER),
        .game = "whist",
        .mu_before = 25.0,
        .sigma_before = 8.0,
        .mu_after = 26.5,
        .sigma_after = 7.5,
        .at_ms = NOW_MS,
        .by = "[{\"seat\": 0, \"change\": 1.5}]",
    };

    assert_ok(storage_rating_change_add(storage, &change));
    assert_result(storage_rating_change_add(storage, &change), STORAGE_TAKEN);
    change.seat = 0;
    change.account = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    assert_ok(storage_rating_change_add(storage, &change));
    change.seat = 1;
    change.account += 10;
    assert_result(storage_rating_change_add(storage, &change), STORAGE_REFUSED);
    assert_ok(storage_rating_changes_read(storage, game, found, STORAGE_SEATS_MAX, &count));
    assert_int_equal(count, 2);
    assert_int_equal(found[0].seat, 0);
    assert_int_equal(found[1].seat, 2);
    assert_true(found[1].mu_before == 25.0 && found[1].mu_after == 26.5);
    assert_true(found[1].sigma_before == 8.0 && found[1].sigma_after == 7.5);
    assert_true(found[1].at_ms == NOW_MS);
    assert_string_equal(found[1].by, change.by);
}

static void a_seasons_rating_is_separate_from_that_of_all_time(void **state)
{
    struct fixture *fixture = *state;
    struct storage_rating found;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    struct storage_rating rating = make_rating(mira, 25.0);

    assert_ok(storage_rating_save(fixture->storage, &rating));
    assert_result(storage_rating_read(fixture->storage, mira, "whist", 20264, &found),
                  STORAGE_NOT_FOUND);
    rating.mu = 27.0;
    rating.season = 20264;
    assert_ok(storage_rating_save(fixture->storage, &rating));
    rating.mu = 23.0;
    rating.season = 20271;
    assert_ok(storage_rating_save(fixture->storage, &rating));
    assert_ok(storage_rating_read(fixture->storage, mira, "whist", 20264, &found));
    assert_true(found.mu == 27.0);
    assert_ok(storage_rating_read(fixture->storage, mira, "whist", 0, &found));
    assert_true(found.mu == 25.0);
    assert_ok(storage_ratings_delete(fixture->storage, mira, "whist"));
    assert_result(storage_rating_read(fixture->storage, mira, "whist", 0, &found),
                  STORAGE_NOT_FOUND);
    assert_result(storage_rating_read(fixture->storage, mira, "whist", 20271, &found),
                  STORAGE_NOT_FOUND);
}

static bool copy_rating_change(void *context, const struct storage_rating_change *change)
{
    double *sum = context;

    *sum = *sum * 100.0 + change->mu_after;
    return true;
}

static void rating_changes_are_listed_in_order_and_can_be_replaced(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    struct storage_rating_change change = {.account = mira, .game = "whist"};
    double sum = 0.0;

    for (int i = 0; i < 4; i++) {
        change.game_id = fixture_add_game(storage, table);
        change.mu_after = 10.0 + i;
        change.at_ms = NOW_MS - (i == 0);
        assert_ok(storage_rating_change_add(storage, &change));
    }
    assert_ok(
        storage_rating_changes_each(storage, mira, "whist", NOW_MS, copy_rating_change, &sum));
    assert_true(sum == 111213.0);
    change.mu_after = 20.0;
    assert_ok(storage_rating_change_set(storage, &change));
    sum = 0.0;
    assert_ok(
        storage_rating_changes_each(storage, mira, "whist", NOW_MS, copy_rating_change, &sum));
    assert_true(sum == 111220.0);
    assert_ok(storage_rating_changes_delete(storage, change.game_id));
    assert_result(storage_rating_change_set(storage, &change), STORAGE_NOT_FOUND);
}

static bool collect_rating(void *context, const struct storage_rating *rating)
{
    return fixture_add_word(context, "%s:%u", rating->game, rating->games);
}

static void ratings_are_listed_by_the_number_of_rated_games(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    static const char *const games[] = {"bridge", "hearts", "spades", "whist"};
    static const uint32_t played[] = {3, 0, 9, 3};

    for (size_t i = 0; i < ARRAY_LEN(games); i++) {
        struct storage_rating rating = make_rating(mira, 25.0);
        rating.games = played[i];
        rating.rated_ms = NOW_MS + (int64_t)i;
        (void)snprintf(rating.game, sizeof rating.game, "%s", games[i]);
        assert_ok(storage_rating_save(storage, &rating));
    }
    assert_ok(storage_ratings_each(storage, mira, collect_rating, &words));
    assert_words(&words, "spades:9 whist:3 bridge:3 ");
    words.stop_after = 1;
    assert_ok(storage_ratings_each(storage, mira, collect_rating, &words));
    assert_words(&words, "spades:9 ");
}

static void past_ratings_are_read_newest_first_and_games_are_counted_up_to_a_time(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    struct storage_rating_change change = {.account = mira, .game = "whist"};
    struct storage_mu mus[4] = {0};
    size_t count = 9;
    uint32_t games = 9;

    for (int i = 0; i < 3; i++) {
        change.game_id = fixture_add_game(storage, fixture_add_table(storage));
        change.mu_before = 20.0 + i;
        change.at_ms = NOW_MS + i;
        assert_ok(storage_rating_change_add(storage, &change));
    }
    assert_ok(storage_rating_read_last_mus(storage, mira, "whist", mus, 2, &count));
    assert_int_equal(count, 2);
    assert_true(mus[0].mu == 22.0 && mus[1].mu == 21.0 && mus[2].mu == 0.0);
    assert_ok(storage_rating_read_last_mus(storage, mira, "bridge", mus, 4, &count));
    assert_int_equal(count, 0);
    assert_ok(storage_rating_changes_count(storage, mira, "whist", NOW_MS + 1, 9, &games));
    assert_int_equal(games, 2);
    assert_ok(storage_rating_changes_count(storage, mira, "whist", NOW_MS + 9, 2, &games));
    assert_int_equal(games, 2);
    assert_ok(storage_rating_changes_count(storage, mira + 1, "whist", NOW_MS + 9, 9, &games));
    assert_int_equal(games, 0);
}

static void save_all_ratings(struct storage *storage, int64_t account, const char *game, double mu)
{
    struct storage_rating rating = make_rating(account, mu);

    (void)snprintf(rating.game, sizeof rating.game, "%s", game);
    assert_ok(storage_rating_save(storage, &rating));
    rating.mu = 1.0;
    rating.season = 20264;
    assert_ok(storage_rating_save(storage, &rating));
    rating.mu = mu + 1.0;
    rating.season = 20264;
    assert_ok(storage_rating_save(storage, &rating));
    rating.mu = mu + 2.0;
    rating.season = 20265;
    assert_ok(storage_rating_save(storage, &rating));
}

static double read_mu(struct storage *storage, int64_t account, const char *game, int32_t season)
{
    struct storage_rating found = {.mu = 0.0};
    const enum storage_result result = storage_rating_read(storage, account, game, season, &found);

    assert_true(result == STORAGE_OK || (result == STORAGE_NOT_FOUND && found.account == 0));
    return found.mu;
}

static void deleting_ratings_affects_only_one_account_and_game(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    save_all_ratings(storage, mira, "bridge", 30.0);
    save_all_ratings(storage, bob, "whist", 40.0);
    save_all_ratings(storage, mira, "whist", 20.0);
    assert_true(read_mu(storage, mira, "whist", 0) == 20.0);
    assert_true(read_mu(storage, mira, "whist", 20264) == 21.0);
    assert_true(read_mu(storage, mira, "whist", 20265) == 22.0);
    assert_ok(storage_ratings_delete(storage, mira, "whist"));
    for (int32_t season = 0; season < 20266; season += season == 0 ? 20264 : 1) {
        const double more = season == 0 ? 0.0 : season - 20263;
        assert_true(read_mu(storage, mira, "whist", season) == 0.0);
        assert_true(read_mu(storage, mira, "bridge", season) == 30.0 + more);
        assert_true(read_mu(storage, bob, "whist", season) == 40.0 + more);
    }
}

static void a_rating_change_reads_back_as_written(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_rating_change found;
    size_t count = 0;
    const struct storage_rating_change change = {
        .game_id = fixture_add_game(storage, fixture_add_table(storage)),
        .seat = 3,
        .account = fixture_add_account(storage, "mira", STORAGE_PLAYER),
        .game = "whist",
        .season = 20264,
        .season_mu_before = 21.0,
        .season_sigma_before = 7.0,
        .season_mu_after = 22.0,
        .season_sigma_after = 6.5,
        .players = 4,
        .rank = 2,
        .win = 0.5,
        .stat_hits = 3,
        .stat_chances = 9,
        .has_left = true,
        .is_bot = false,
        .played = 0.25,
        .doubtful = 5,
        .at_ms = NOW_MS,
    };

    assert_ok(storage_rating_change_add(storage, &change));
    assert_ok(storage_rating_changes_read(storage, change.game_id, &found, 1, &count));
    assert_int_equal(count, 1);
    assert_int_equal(found.season, 20264);
    assert_true(found.season_mu_before == 21.0 && found.season_sigma_before == 7.0);
    assert_true(found.season_mu_after == 22.0 && found.season_sigma_after == 6.5);
    assert_int_equal(found.players, 4);
    assert_int_equal(found.rank, 2);
    assert_true(found.win == 0.5);
    assert_int_equal(found.stat_hits, 3);
    assert_int_equal(found.stat_chances, 9);
    assert_true(found.has_left && !found.is_bot);
    assert_true(found.played == 0.25);
    assert_int_equal(found.doubtful, 5);
}

/* Adds a rated game of these two accounts. */
static int64_t add_rated_game(struct storage *storage, int64_t account, int64_t other,
                              int64_t at_ms)
{
    const int64_t accounts[] = {account, other};
    const int64_t game = fixture_add_finished_game(storage, accounts, 2, at_ms);

    for (size_t i = 0; i < 2; i++) {
        const struct storage_rating_change change = {.game_id = game,
                                                     .seat = (uint8_t)i,
                                                     .account = accounts[i],
                                                     .game = "whist",
                                                     .by = "[]",
                                                     .at_ms = at_ms};
        assert_ok(storage_rating_change_add(storage, &change));
    }
    return game;
}

static uint32_t count_shared(struct storage *storage, int64_t account, int64_t other,
                             int64_t game_id, int64_t at_ms)
{
    const struct storage_rating_change change = {
        .game_id = game_id, .account = account, .game = "whist", .at_ms = at_ms};
    uint32_t count = 99;

    assert_ok(storage_rating_changes_count_shared(storage, &change, other, 1000, &count));
    return count;
}

static void shared_games_are_the_earlier_ones_of_two_accounts_that_are_not_void(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_add_account(storage, "ada", STORAGE_PLAYER);
    const int64_t first = add_rated_game(storage, mira, bob, 5000);
    const int64_t twin = add_rated_game(storage, bob, mira, 5000);

    (void)add_rated_game(storage, mira, ada, 5000);
    assert_int_equal(count_shared(storage, mira, bob, first, 5000), 0);
    assert_int_equal(count_shared(storage, mira, bob, twin, 5000), 1);
    assert_int_equal(count_shared(storage, bob, mira, INT64_MAX, 6000), 2);
    assert_int_equal(count_shared(storage, bob, mira, INT64_MAX, 6001), 0);
    assert_int_equal(count_shared(storage, bob, ada, INT64_MAX, 6000), 0);
    assert_ok(storage_game_void(storage, first));
    assert_int_equal(count_shared(storage, bob, mira, INT64_MAX, 6000), 1);
}

TEST_GROUP(ratings)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_rating_reads_back_as_last_saved),
        FIXTURE_TEST(a_rating_for_an_unknown_account_is_refused),
        FIXTURE_TEST(the_most_played_game_is_found),
        FIXTURE_TEST(a_games_rating_changes_are_read_by_seat_and_added_once),
        FIXTURE_TEST(a_seasons_rating_is_separate_from_that_of_all_time),
        FIXTURE_TEST(rating_changes_are_listed_in_order_and_can_be_replaced),
        FIXTURE_TEST(ratings_are_listed_by_the_number_of_rated_games),
        FIXTURE_TEST(past_ratings_are_read_newest_first_and_games_are_counted_up_to_a_time),
        FIXTURE_TEST(deleting_ratings_affects_only_one_account_and_game),
        FIXTURE_TEST(a_rating_change_reads_back_as_written),
        FIXTURE_TEST(shared_games_are_the_earlier_ones_of_two_accounts_that_are_not_void),
    };

    return cmocka_run_group_tests_name("ratings", tests, NULL, NULL);
}
