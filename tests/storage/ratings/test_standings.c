#include "tests/storage/boards_fixture.h"

#include "storage/accounts/accounts.h"
#include "storage/ratings/ratings.h"
#include "tests/unit.h"

#include <stdio.h>

static const struct storage_board all_time = {.game = "whist"};
static const struct storage_board of_season = {.game = "whist", .span = SEASON};

static bool collect_standing(void *context, const struct storage_standing *standing)
{
    return fixture_add_word(context, "%d%s:%.1f/%.1f/%u@%d,%d", (int)standing->account,
                            standing->is_bot ? "b" : "", standing->mu, standing->sigma,
                            standing->games, (int)(standing->rated_ms - NOW_MS),
                            (int)(standing->last_ms - NOW_MS));
}

static void assert_standings(struct storage *storage, const struct storage_board *board,
                             int64_t account, const char *text)
{
    struct fixture_words words = {.count = 0};

    assert_ok(storage_standings_each(storage, board, account, collect_standing, &words));
    assert_words(&words, text);
}

static void standings_are_listed_by_account_for_a_number_of_players(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_board threes = all_time;
    struct storage_rating_change change = {
        .game = "whist", .players = 4, .rank = 1, .season = SEASON, .at_ms = NOW_MS - 7};
    char text[256];

    const int64_t ada = boards_add_account(storage, "ada", 26.0);
    const int64_t bob = boards_add_account_of_kind(storage, "bob", 30.0, STORAGE_BOT);
    change.account = ada;
    (void)boards_add_game(storage, change);
    change.players = 3;
    change.at_ms = NOW_MS - 9;
    change.season = SEASON - 1;
    (void)boards_add_game(storage, change);
    (void)snprintf(text, sizeof text, "%d:26.0/5.0/30@0,0 %db:30.0/5.0/30@0,0 ", (int)ada,
                   (int)bob);
    assert_standings(storage, &all_time, 0, text);
    (void)snprintf(text, sizeof text, "%db:30.0/5.0/30@0,0 ", (int)bob);
    assert_standings(storage, &all_time, bob, text);
    threes.players = 3;
    (void)snprintf(text, sizeof text, "%d:26.0/5.0/30@0,-9 ", (int)ada);
    assert_standings(storage, &threes, 0, text);
    threes.span = STORAGE_SPAN_WEEK;
    assert_standings(storage, &threes, 0, text);
    assert_standings(storage, &threes, bob, "");
    change.account = ada;
    assert_ok(storage_tallies_add_rating_change(storage, &change, -1));
    assert_standings(storage, &threes, 0, "");
    assert_standings(storage, &(struct storage_board){.game = "bridge"}, 0, "");
    assert_standings(storage, &of_season, 0, "");
}

static void a_season_has_standings_of_its_own(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_board fours = of_season;
    struct storage_rating rating = {
        .game = "whist", .mu = 25.5, .sigma = 6.0, .rated_ms = NOW_MS - 5, .games = 10};
    struct storage_rating_change change = {
        .game = "whist", .players = 4, .rank = 1, .season = SEASON, .at_ms = NOW_MS - 6};
    char text[128];

    change.account = rating.account = boards_add_account(storage, "ada", 26.0);
    rating.season = SEASON;
    assert_ok(storage_rating_save(storage, &rating));
    (void)boards_add_game(storage, change);
    rating.mu = 27.5;
    rating.season = SEASON + 1;
    assert_ok(storage_rating_save(storage, &rating));
    (void)snprintf(text, sizeof text, "%d:25.5/6.0/10@-5,-5 ", (int)rating.account);
    assert_standings(storage, &of_season, 0, text);
    assert_standings(storage, &of_season, rating.account, text);
    assert_standings(storage, &of_season, rating.account + 1, "");
    fours.players = 4;
    (void)snprintf(text, sizeof text, "%d:25.5/6.0/10@-5,-6 ", (int)rating.account);
    assert_standings(storage, &fours, 0, text);
    fours.span = SEASON + 1;
    assert_standings(storage, &fours, 0, "");
}

static void accounts_on_hold_and_without_games_have_no_standing(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_rating rating = {.game = "whist", .mu = 25.0};
    char text[128];

    const int64_t ada = boards_add_account(storage, "ada", 26.0);
    const int64_t bob = boards_add_account(storage, "bob", 30.0);
    rating.account = fixture_add_account(storage, "chen", STORAGE_PLAYER);
    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_account_set_pending(storage, bob, true));
    (void)snprintf(text, sizeof text, "%d:26.0/5.0/30@0,0 ", (int)ada);
    assert_standings(storage, &all_time, 0, text);
    assert_standings(storage, &all_time, bob, "");
    assert_ok(storage_account_set_pending(storage, bob, false));
    (void)snprintf(text, sizeof text, "%d:30.0/5.0/30@0,0 ", (int)bob);
    assert_standings(storage, &all_time, bob, text);
    assert_result(storage_account_set_pending(storage, bob + 10, true), STORAGE_NOT_FOUND);
}

static void the_list_of_standings_ends_when_the_caller_has_enough(void **state)
{
    struct fixture *fixture = *state;
    struct fixture_words words = {.stop_after = 1};

    (void)boards_add_account(fixture->storage, "ada", 26.0);
    (void)boards_add_account(fixture->storage, "bob", 26.0);
    assert_ok(storage_standings_each(fixture->storage, &all_time, 0, collect_standing, &words));
    assert_int_equal(words.count, 1);
}

static void boards_of_the_last_month_and_week_list_the_ratings_of_all_time(void **state)
{
    static const struct {
        int32_t span;
        int64_t days;
        int32_t season;
    } cases[] = {{STORAGE_SPAN_ALL, 0, 0},
                 {STORAGE_SPAN_MONTH, 30, 0},
                 {STORAGE_SPAN_WEEK, 7, 0},
                 {STORAGE_SPAN_SEASONS, 0, STORAGE_SPAN_SEASONS},
                 {SEASON, 0, SEASON}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct storage_board board = {.game = "whist", .span = cases[i].span};
        assert_true(storage_board_days(&board) == cases[i].days);
        assert_int_equal(storage_board_season(&board), cases[i].season);
    }
}

TEST_GROUP(standings)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(standings_are_listed_by_account_for_a_number_of_players),
        FIXTURE_TEST(a_season_has_standings_of_its_own),
        FIXTURE_TEST(accounts_on_hold_and_without_games_have_no_standing),
        FIXTURE_TEST(the_list_of_standings_ends_when_the_caller_has_enough),
        FIXTURE_TEST(boards_of_the_last_month_and_week_list_the_ratings_of_all_time),
    };

    return cmocka_run_group_tests_name("standings", tests, NULL, NULL);
}
