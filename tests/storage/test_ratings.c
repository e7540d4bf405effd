#include "fixture.h"

#include "storage/ratings.h"

#include <stdio.h>
#include <string.h>

#define DAY_MS INT64_C(86400000)
#define NOW_MS (1000 * DAY_MS)

static const struct storage_listing listing = {
    .game = "whist",
    .games_min = 30,
    .rated_since_ms = NOW_MS - 30 * DAY_MS,
    .sigma_max = 5.6,
    .idle_variance_per_day = 0.207 * 0.207,
    .now_ms = NOW_MS,
};

static struct storage_rating rating_of(int64_t account, double mu)
{
    return (struct storage_rating){.account = account,
                                   .game = "whist",
                                   .mu = mu,
                                   .sigma = 5.0,
                                   .rated_ms = NOW_MS,
                                   .games = 30};
}

static int64_t add(struct storage *storage, const char *name, double mu)
{
    const int64_t id = fixture_account(storage, name, STORAGE_PLAYER);
    const struct storage_rating rating = rating_of(id, mu);

    assert_ok(storage_rating_save(storage, &rating));
    return id;
}

static void a_rating_is_read_as_it_was_saved_last(void **state)
{
    struct fixture *fixture = *state;
    struct storage_rating found;
    struct storage_rating rating = {
        .account = fixture_account(fixture->storage, "mira", STORAGE_PLAYER),
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

    assert_result(storage_rating_read(fixture->storage, rating.account, "whist", &found),
                  STORAGE_NOT_FOUND);
    assert_ok(storage_rating_save(fixture->storage, &rating));
    rating.games = 42;
    assert_ok(storage_rating_save(fixture->storage, &rating));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_rating_read(fixture->storage, rating.account, "whist", &found));
    assert_true(found.mu == rating.mu && found.sigma == rating.sigma);
    assert_true(found.rated_ms == NOW_MS && found.best_ms == NOW_MS - 5);
    assert_int_equal(found.games, 42);
    assert_true(found.wins == 10.5 && found.place_sum == 20.25 && found.best_mu == 28.5);
    assert_int_equal(found.stat_hits, 300);
    assert_int_equal(found.stat_chances, 500);
    assert_int_equal(found.finished, 40);
    assert_int_equal(found.left, 1);
    assert_int_equal(found.streak, -3);
    assert_result(storage_rating_read(fixture->storage, rating.account, "other", &found),
                  STORAGE_NOT_FOUND);
}

static void a_rating_of_nobody_is_refused(void **state)
{
    struct fixture *fixture = *state;
    const struct storage_rating rating = rating_of(77, 25.0);

    assert_result(storage_rating_save(fixture->storage, &rating), STORAGE_REFUSED);
}

static void the_game_played_most_is_found(void **state)
{
    struct fixture *fixture = *state;
    struct storage_rating found;
    const int64_t mira = fixture_account(fixture->storage, "mira", STORAGE_PLAYER);
    struct storage_rating rating = rating_of(mira, 25.0);

    rating.games = 0;
    assert_ok(storage_rating_save(fixture->storage, &rating));
    assert_result(storage_rating_most_played(fixture->storage, mira, &found), STORAGE_NOT_FOUND);
    rating.games = 4;
    assert_ok(storage_rating_save(fixture->storage, &rating));
    (void)snprintf(rating.game, sizeof rating.game, "bridge");
    rating.games = 9;
    assert_ok(storage_rating_save(fixture->storage, &rating));
    assert_ok(storage_rating_most_played(fixture->storage, mira, &found));
    assert_string_equal(found.game, "bridge");
}

static void changes_of_a_game_are_read_by_seat_and_made_once(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t game = fixture_game(storage, fixture_table(storage));
    struct storage_rating_change found[STORAGE_SEATS_MAX];
    size_t count = 0;
    struct storage_rating_change change = {
        .game_id = game,
        .seat = 2,
        .account = fixture_account(storage, "mira", STORAGE_PLAYER),
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
    change.account = fixture_account(storage, "bob", STORAGE_PLAYER);
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

static void the_list_goes_by_mu_and_equals_share_a_rank(void **state)
{
    struct fixture *fixture = *state;
    struct storage_leader rows[8];
    struct storage_leaders_page page = {.rows = rows, .capacity = 8};
    static const char *const names[] = {"ada", "bob", "chen", "dora", "ella"};
    static const double mus[] = {26.0, 30.0, 28.0, 28.0, 20.0};

    for (size_t i = 0; i < 5; i++) {
        (void)add(fixture->storage, names[i], mus[i]);
    }
    assert_ok(storage_leaders_read(fixture->storage, &listing, 0, &page));
    assert_int_equal(page.total, 5);
    assert_int_equal(page.count, 5);
    static const char *const order[] = {"bob", "chen", "dora", "ada", "ella"};
    static const uint32_t ranks[] = {1, 2, 2, 4, 5};
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(rows[i].name, order[i]);
        assert_int_equal(rows[i].rank, ranks[i]);
        assert_int_equal(rows[i].index, i);
    }
    page.capacity = 2;
    assert_ok(storage_leaders_read(fixture->storage, &listing, 2, &page));
    assert_int_equal(page.total, 5);
    assert_int_equal(page.count, 2);
    assert_string_equal(rows[0].name, "dora");
    assert_int_equal(rows[0].rank, 2);
    assert_int_equal(rows[1].rank, 4);
    assert_int_equal(rows[1].index, 3);
    assert_ok(storage_leaders_read(fixture->storage, &listing, 5, &page));
    assert_int_equal(page.count, 0);
}

static void only_who_qualifies_is_listed(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_leader rows[8];
    struct storage_leaders_page page = {.rows = rows, .capacity = 8};
    struct storage_rating rating;

    (void)add(storage, "good", 25.0);
    rating = rating_of(fixture_account(storage, "new", STORAGE_PLAYER), 40.0);
    rating.games = 29;
    assert_ok(storage_rating_save(storage, &rating));
    rating = rating_of(fixture_account(storage, "unsure", STORAGE_PLAYER), 40.0);
    rating.sigma = 5.61;
    assert_ok(storage_rating_save(storage, &rating));
    rating = rating_of(fixture_account(storage, "gone", STORAGE_PLAYER), 40.0);
    rating.rated_ms = NOW_MS - 30 * DAY_MS - 1;
    assert_ok(storage_rating_save(storage, &rating));
    /* 5.59² + 20 days of 0.207² is above 5.6². */
    rating = rating_of(fixture_account(storage, "rusty", STORAGE_PLAYER), 40.0);
    rating.sigma = 5.59;
    rating.rated_ms = NOW_MS - 20 * DAY_MS;
    assert_ok(storage_rating_save(storage, &rating));
    rating = rating_of(fixture_account(storage, "other", STORAGE_PLAYER), 40.0);
    (void)snprintf(rating.game, sizeof rating.game, "bridge");
    assert_ok(storage_rating_save(storage, &rating));
    rating = rating_of(fixture_account(storage, "robot", STORAGE_BOT), 40.0);
    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_leaders_read(storage, &listing, 0, &page));
    assert_int_equal(page.total, 1);
    assert_string_equal(rows[0].name, "good");
    struct storage_listing bots = listing;
    bots.is_bots = true;
    assert_ok(storage_leaders_read(storage, &bots, 0, &page));
    assert_int_equal(page.total, 1);
    assert_string_equal(rows[0].name, "robot");
    assert_int_equal(rows[0].kind, STORAGE_BOT);
    struct storage_listing young = listing;
    young.games_min = 1;
    young.rated_since_ms = INT64_MIN;
    young.sigma_max = 1e9;
    assert_ok(storage_leaders_read(storage, &young, 0, &page));
    assert_int_equal(page.total, 5);
}

static void a_held_account_is_on_the_list_once_it_is_released(void **state)
{
    struct fixture *fixture = *state;
    struct storage_leader rows[8], own;
    struct storage_leaders_page page = {.rows = rows, .capacity = 8};
    const int64_t bob = add(fixture->storage, "bob", 30.0);

    (void)add(fixture->storage, "ada", 26.0);
    assert_ok(storage_account_set_held(fixture->storage, bob, true));
    assert_ok(storage_leaders_read(fixture->storage, &listing, 0, &page));
    assert_int_equal(page.total, 1);
    assert_string_equal(rows[0].name, "ada");
    assert_int_equal(rows[0].rank, 1);
    assert_ok(storage_leader_of(fixture->storage, &listing, bob, &own));
    assert_int_equal(own.rank, 0);
    assert_ok(storage_account_set_held(fixture->storage, bob, false));
    assert_ok(storage_leader_of(fixture->storage, &listing, bob, &own));
    assert_int_equal(own.rank, 1);
    assert_result(storage_account_set_held(fixture->storage, bob + 10, true), STORAGE_NOT_FOUND);
}

static void ones_own_row_is_found_on_the_list_and_off_it(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_leader leader;
    const int64_t ada = add(storage, "ada", 28.0);
    const int64_t bob = add(storage, "bob", 28.0);
    const int64_t chen = fixture_account(storage, "chen", STORAGE_PLAYER);
    struct storage_rating rating = rating_of(chen, 35.0);

    (void)add(storage, "dora", 31.0);
    assert_ok(storage_leader_of(storage, &listing, bob, &leader));
    assert_string_equal(leader.name, "bob");
    assert_int_equal(leader.rank, 2);
    assert_int_equal(leader.index, 2);
    assert_ok(storage_leader_of(storage, &listing, ada, &leader));
    assert_int_equal(leader.rank, 2);
    assert_int_equal(leader.index, 1);
    assert_result(storage_leader_of(storage, &listing, chen, &leader), STORAGE_NOT_FOUND);
    rating.games = 3;
    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_leader_of(storage, &listing, chen, &leader));
    assert_int_equal(leader.rank, 0);
    assert_int_equal(leader.rating.games, 3);
}

static void the_change_of_a_week_starts_where_the_week_did(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = add(storage, "ada", 28.0);
    const int64_t table = fixture_table(storage);
    static const double befores[] = {20.0, 26.0, 27.0};
    static const int64_t ages[] = {8 * DAY_MS, 7 * DAY_MS, DAY_MS};
    struct storage_leader leader;

    assert_ok(storage_leader_of(storage, &listing, ada, &leader));
    assert_true(leader.change_week_mu == 0.0);
    for (size_t i = 0; i < 3; i++) {
        const struct storage_rating_change change = {.game_id = fixture_game(storage, table),
                                                     .account = ada,
                                                     .game = "whist",
                                                     .mu_before = befores[i],
                                                     .mu_after = befores[i] + 1.0,
                                                     .at_ms = NOW_MS - ages[i]};
        assert_ok(storage_rating_change_add(storage, &change));
    }
    assert_ok(storage_leader_of(storage, &listing, ada, &leader));
    assert_true(leader.change_week_mu == 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_rating_is_read_as_it_was_saved_last),
        FIXTURE_TEST(a_rating_of_nobody_is_refused),
        FIXTURE_TEST(the_game_played_most_is_found),
        FIXTURE_TEST(changes_of_a_game_are_read_by_seat_and_made_once),
        FIXTURE_TEST(the_list_goes_by_mu_and_equals_share_a_rank),
        FIXTURE_TEST(only_who_qualifies_is_listed),
        FIXTURE_TEST(a_held_account_is_on_the_list_once_it_is_released),
        FIXTURE_TEST(ones_own_row_is_found_on_the_list_and_off_it),
        FIXTURE_TEST(the_change_of_a_week_starts_where_the_week_did),
    };

    return cmocka_run_group_tests_name("ratings", tests, NULL, NULL);
}
