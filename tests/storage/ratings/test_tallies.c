#include "tests/storage/boards_fixture.h"

#include "storage/ratings/ratings.h"
#include "tests/unit.h"

#include <stdio.h>

static const struct storage_listing listing = BOARDS_LISTING;

static void tallies_of_single_days_are_kept_for_a_month(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_rating_change change = {.account = boards_add_account(storage, "ada", 28.0),
                                           .game = "whist",
                                           .players = 4,
                                           .season = SEASON};

    for (int i = 100; i >= 0; i--) {
        change.at_ms = NOW_MS - i * DAY_MS;
        (void)boards_add_game(storage, change);
    }
    const int64_t days =
        fixture_read_number(storage, "SELECT count(*) FROM tallies WHERE span < 0");
    assert_int_equal(days, 32); /* tallies of today and of the 31 days before */
}

static bool copy_tally(void *context, uint8_t players, const struct storage_tally *tally)
{
    int64_t *last_ms = context;

    last_ms[players] = tally->last_ms;
    return true;
}

static void after_removing_the_last_game_last_ms_is_the_end_of_the_game_before(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    struct storage_rating_change change = {
        .account = ada, .game = "whist", .players = 4, .season = SEASON, .at_ms = NOW_MS - 9};
    int64_t last_ms[8] = {0};

    (void)boards_add_game(storage, change);
    change.at_ms = NOW_MS;
    change.game_id = boards_add_game(storage, change);
    assert_ok(boards_tallies_each(storage, ada, &listing.board, copy_tally, last_ms));
    assert_true(last_ms[4] == NOW_MS);
    assert_ok(storage_rating_changes_delete(storage, change.game_id));
    assert_ok(storage_tallies_add_rating_change(storage, &change, -1));
    assert_ok(storage_tallies_update_last_ms(storage, ada, "whist"));
    assert_ok(boards_tallies_each(storage, ada, &listing.board, copy_tally, last_ms));
    assert_true(last_ms[4] == NOW_MS - 9);
}

static bool collect_tally(void *context, uint8_t players, const struct storage_tally *tally)
{
    return fixture_add_word(context, "%d:%u/%.1f/%.2f/%u-%u/%u+%u@%d", players, tally->games,
                            tally->wins, tally->place_sum, tally->stat_hits, tally->stat_chances,
                            tally->finished, tally->left, (int)(tally->last_ms - NOW_MS));
}

static void assert_tallies(struct fixture_words *words, struct storage *storage, int64_t account,
                           const struct storage_board *board, const char *text)
{
    assert_ok(boards_tallies_each(storage, account, board, collect_tally, words));
    assert_words(words, text);
}

static struct storage_rating_change make_rating_change(int64_t account, uint8_t rank, int64_t at_ms)
{
    return (struct storage_rating_change){.account = account,
                                          .game = "whist",
                                          .players = 5,
                                          .rank = rank,
                                          .win = rank == 1 ? 0.5 : 0.0,
                                          .stat_hits = 3,
                                          .stat_chances = 4,
                                          .season = SEASON,
                                          .at_ms = at_ms};
}

static void tallies_sum_up_games_by_their_number_of_players(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    const int64_t bob = boards_add_account(storage, "bob", 27.0);
    struct storage_rating_change change = make_rating_change(ada, 1, NOW_MS + 5);

    assert_tallies(&words, storage, ada, &listing.board, "");
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    change = make_rating_change(ada, 4, NOW_MS + 3);
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    change.players = 4;
    change.has_left = true; /* this player counts as last, even if others left too */
    change.rank = 3;
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    change = make_rating_change(bob, 1, NOW_MS + 9);
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    storage = fixture->storage;
    assert_tallies(&words, storage, ada, &listing.board,
                   "4:1/0.0/0.00/3-4/0+1@3 5:2/0.5/1.25/6-8/2+0@5 ");
    words.stop_after = 1;
    assert_tallies(&words, storage, ada, &listing.board, "4:1/0.0/0.00/3-4/0+1@3 ");
}

static void a_seasons_tally_counts_its_own_games(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    struct storage_board season = listing.board;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    struct storage_rating_change change = make_rating_change(ada, 1, NOW_MS);

    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    change.season = SEASON + 1;
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    season.span = SEASON;
    assert_tallies(&words, storage, ada, &season, "5:1/0.5/1.00/3-4/1+0@0 ");
    season.span = SEASON + 1;
    assert_tallies(&words, storage, ada, &season, "5:2/1.0/2.00/6-8/2+0@0 ");
    season.game = "bridge";
    assert_tallies(&words, storage, ada, &season, "");
}

static void removing_a_game_leaves_the_sums_as_if_it_was_never_played(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    const struct storage_rating_change kept = make_rating_change(ada, 1, NOW_MS);
    struct storage_rating_change taken = make_rating_change(ada, 2, NOW_MS + 5);

    taken.has_left = true;
    assert_ok(storage_tallies_add_rating_change(storage, &kept, 1));
    assert_ok(storage_tallies_add_rating_change(storage, &taken, 1));
    assert_ok(storage_tallies_add_rating_change(storage, &taken, -1));
    assert_tallies(&words, storage, ada, &listing.board, "5:1/0.5/1.00/3-4/1+0@5 ");
    /* no game of the account is left */
    assert_ok(storage_tallies_add_rating_change(storage, &kept, -1));
    assert_tallies(&words, storage, ada, &listing.board, "");
}

/* last_ms, the end of the last game, depends in the tally of a season only on games of that
 * season. */
static void last_ms_is_recomputed_for_each_season(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    struct storage_board season = listing.board;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    struct storage_rating_change change = make_rating_change(ada, 1, NOW_MS);

    (void)boards_add_game(storage, change);
    change.at_ms = NOW_MS + 3;
    change.season = SEASON + 1;
    (void)boards_add_game(storage, change);
    change.at_ms = NOW_MS + 7;
    change.season = SEASON;
    change.game_id = boards_add_game(storage, change);
    assert_ok(storage_rating_changes_delete(storage, change.game_id));
    assert_ok(storage_tallies_add_rating_change(storage, &change, -1));
    assert_ok(storage_tallies_update_last_ms(storage, ada, "whist"));
    assert_tallies(&words, storage, ada, &season, "5:2/1.0/2.00/6-8/2+0@3 ");
    season.span = SEASON;
    assert_tallies(&words, storage, ada, &season, "5:1/0.5/1.00/3-4/1+0@0 ");
}

static void a_game_with_one_player_counts_as_first_place(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    struct storage_rating_change change = make_rating_change(ada, 1, NOW_MS);

    change.players = 1;
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    assert_tallies(&words, storage, ada, &listing.board, "1:1/0.5/1.00/3-4/1+0@0 ");
}

static void recomputing_last_ms_changes_only_one_account_and_game(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    struct storage_board bridge = listing.board;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    const int64_t bob = boards_add_account(storage, "bob", 28.0);
    struct storage_rating_change change = make_rating_change(ada, 1, NOW_MS);

    assert_ok(storage_tallies_add_rating_change(storage, &change,
                                                1)); /* a game without a rating change */
    (void)snprintf(change.game, sizeof change.game, "bridge");
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    change = make_rating_change(bob, 1, NOW_MS);
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    assert_ok(storage_tallies_update_last_ms(storage, ada, "whist"));
    bridge.game = "bridge";
    assert_tallies(&words, storage, ada, &bridge, "5:1/0.5/1.00/3-4/1+0@0 ");
    assert_tallies(&words, storage, bob, &listing.board, "5:1/0.5/1.00/3-4/1+0@0 ");
}

TEST_GROUP(tallies)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(tallies_of_single_days_are_kept_for_a_month),
        FIXTURE_TEST(after_removing_the_last_game_last_ms_is_the_end_of_the_game_before),
        FIXTURE_TEST(tallies_sum_up_games_by_their_number_of_players),
        FIXTURE_TEST(a_seasons_tally_counts_its_own_games),
        FIXTURE_TEST(removing_a_game_leaves_the_sums_as_if_it_was_never_played),
        FIXTURE_TEST(last_ms_is_recomputed_for_each_season),
        FIXTURE_TEST(a_game_with_one_player_counts_as_first_place),
        FIXTURE_TEST(recomputing_last_ms_changes_only_one_account_and_game),
    };

    return cmocka_run_group_tests_name("tallies", tests, NULL, NULL);
}
