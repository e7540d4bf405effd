#include "storage/ratings/ratings.h"

#include "storage/accounts/accounts.h"
#include "tests/storage/boards_fixture.h"
#include "tests/unit.h"

static const struct storage_listing listing = BOARDS_LISTING;

static void the_weekly_rating_change_counts_from_the_rating_a_week_ago(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    static const double befores[] = {20.0, 26.0, 27.0};
    static const int64_t ages[] = {8 * DAY_MS, 7 * DAY_MS, DAY_MS};
    struct storage_leader leader;

    assert_ok(storage_leader_read(storage, &listing, ada, &leader));
    assert_true(leader.change_week_mu == 0.0);
    for (size_t i = 0; i < 3; i++) {
        (void)boards_add_game(storage, (struct storage_rating_change){.account = ada,
                                                                      .game = "whist",
                                                                      .mu_before = befores[i],
                                                                      .mu_after = befores[i] + 1.0,
                                                                      .at_ms = NOW_MS - ages[i]});
    }
    const struct storage_standing standing = boards_make_standing(ada, 28.0);
    assert_ok(storage_standing_put(storage, &standing));
    /* Reads the weekly rating change on later days: each time, it is the change since seven days
     * before. */
    static const double changes[] = {2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct storage_listing later = listing;
        later.now_ms = NOW_MS + (int64_t)i * DAY_MS + 5;
        assert_ok(storage_leader_read(storage, &later, ada, &leader));
        assert_true(leader.change_week_mu == changes[i]);
    }
}

static void assert_leaderboard_lines_are_up_to_date(struct storage *storage)
{
    int64_t lines = 0;
    int64_t other_count = 0;

    assert_ok(sql_read_number(storage, "SELECT count(*) FROM leader_lines", &lines));
    assert_true(lines > 0);
    assert_ok(sql_read_number(storage,
                              "SELECT count(*) - (SELECT count(*) FROM (SELECT * FROM leader_lines"
                              " INTERSECT SELECT * FROM leader_lines_due) AS same)"
                              " FROM leader_lines_due",
                              &other_count));
    assert_int_equal(other_count, 0);
    assert_ok(sql_read_number(storage, "SELECT count(*) FROM leader_lines_due", &other_count));
    assert_int_equal(lines, other_count);
}

static void a_leaderboard_line_is_updated_when_any_of_its_values_changes(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_rating rating = {
        .game = "whist", .mu = 28.0, .rated_ms = NOW_MS - DAY_MS, .games = 30};
    struct storage_leader leader;
    int64_t next_ms = 0;

    rating.account = boards_add_account(storage, "ada", 28.0);
    struct storage_standing standing = boards_make_standing(rating.account, 28.0);
    (void)boards_add_account(storage, "bob", 26.0);
    (void)boards_add_account_of_kind(storage, "robot", 26.0, STORAGE_BOT);
    assert_ok(storage_season_rating_save(storage, SEASON, &rating));
    boards_put_season_standing(storage, rating.account, 28.0);
    assert_leaderboard_lines_are_up_to_date(storage);
    (void)boards_add_game(storage, (struct storage_rating_change){.account = rating.account,
                                                                  .game = "whist",
                                                                  .mu_before = 28.0,
                                                                  .season = SEASON,
                                                                  .season_mu_before = 28.0,
                                                                  .at_ms = NOW_MS});
    standing.mu = rating.mu = rating.best_mu = 29.0;
    rating.rated_ms = NOW_MS;
    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_season_rating_save(storage, SEASON, &rating));
    boards_put_season_standing(storage, rating.account, 29.0);
    standing.listed_until_ms = NOW_MS + 5;
    assert_ok(storage_standing_put(storage, &standing));
    assert_leaderboard_lines_are_up_to_date(storage);
    assert_ok(storage_account_rename(storage, rating.account, "ada2", "ada2"));
    assert_ok(storage_account_set_role(storage, rating.account, STORAGE_ROLE_MOD));
    assert_ok(storage_account_set_last_seen(storage, rating.account, NOW_MS + 3));
    assert_leaderboard_lines_are_up_to_date(storage);
    assert_ok(storage_leader_read(storage, &listing, rating.account, &leader));
    assert_string_equal(leader.name, "ada2");
    assert_int_equal(leader.role, STORAGE_ROLE_MOD);
    assert_true(leader.seen_ms == NOW_MS + 3);
    assert_true(leader.change_week_mu == 1.0);
    assert_ok(storage_standings_update_due(storage, NOW_MS + 5, 9, &next_ms));
    assert_leaderboard_lines_are_up_to_date(storage);
    assert_ok(storage_account_set_pending(storage, rating.account, true));
    assert_leaderboard_lines_are_up_to_date(storage);
    assert_ok(storage_ratings_delete(storage, rating.account, "whist"));
    assert_ok(storage_standings_delete(storage, rating.account, "whist"));
    assert_leaderboard_lines_are_up_to_date(storage);
}

/* When an account is seen, the new time is not written to its lines of past seasons. Leaderboards
 * of past seasons show the new time all the same. */
static void a_past_season_shows_when_an_account_was_last_seen(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    const int64_t bob = boards_add_account(storage, "bob", 26.0);
    struct storage_rating rating = {.account = ada, .game = "whist", .mu = 28.0};
    struct storage_listing season = listing;
    struct storage_standing standing = boards_make_standing(bob, 26.0);
    struct storage_leader leader;

    assert_ok(storage_season_rating_save(storage, SEASON, &rating));
    boards_put_season_standing(storage, ada, 28.0);
    rating.account = bob;
    rating.mu = 26.0;
    assert_ok(storage_season_rating_save(storage, SEASON + 1, &rating));
    standing.board.span = SEASON + 1;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_account_set_last_seen(storage, ada, NOW_MS));
    season.board.span = SEASON;
    assert_ok(storage_leader_read(storage, &season, ada, &leader));
    assert_true(leader.seen_ms == NOW_MS);
    assert_ok(storage_leader_read(storage, &listing, ada, &leader));
    assert_true(leader.seen_ms == NOW_MS);
}

static void leaderboards_of_the_last_month_and_week_show_the_all_time_rating(void **state)
{
    static const struct {
        int32_t span, of;
        bool is_window;
    } cases[] = {{STORAGE_SPAN_ALL, STORAGE_SPAN_ALL, false},
                 {STORAGE_SPAN_MONTH, STORAGE_SPAN_ALL, true},
                 {STORAGE_SPAN_WEEK, STORAGE_SPAN_ALL, true},
                 {STORAGE_SPAN_SEASONS, STORAGE_SPAN_SEASONS, false},
                 {SEASON, SEASON, false}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct storage_board board = {.game = "whist", .span = cases[i].span};
        assert_int_equal(leader_lines_is_week_or_month(&board), cases[i].is_window);
        assert_int_equal(leader_lines_get_span(&board), cases[i].of);
    }
}

static void an_account_without_a_leaderboard_line_is_not_found(void **state)
{
    struct fixture *fixture = *state;
    struct storage_leader leader;
    const int64_t bob = boards_add_account(fixture->storage, "bob", 28.0);
    const int64_t ada = boards_add_account(fixture->storage, "ada", 28.0);
    const int64_t chen = fixture_add_account(fixture->storage, "chen", STORAGE_PLAYER);
    struct leader_line line = {.board = 1, .class = 1, .mu = 28.0, .account = ada};

    assert_ok(leader_lines_read(fixture->storage, &listing, &line, &leader));
    assert_string_equal(leader.name, "ada");
    assert_int_equal(leader.tally.games, 30);
    line.mu = 20.0; /* the given mu is outdated: the line is found at its current mu all the same */
    assert_ok(leader_lines_read(fixture->storage, &listing, &line, &leader));
    assert_true(leader.rating.mu == 28.0);
    assert_string_equal(leader.name, "ada");
    line.account = bob;
    assert_ok(leader_lines_read(fixture->storage, &listing, &line, &leader));
    assert_string_equal(leader.name, "bob");
    line.account = chen;
    assert_result(leader_lines_read(fixture->storage, &listing, &line, &leader), STORAGE_NOT_FOUND);
}

static uint32_t count_games_on_board(struct storage *storage, int64_t account, int32_t span,
                                     uint8_t players)
{
    struct storage_listing of = listing;
    struct storage_tally tally = {.games = 77};

    of.board.span = span;
    of.board.players = players;
    assert_ok(leader_lines_sum_tally(storage, &of, account, &tally));
    return tally.games;
}

static void the_last_week_and_month_are_whole_days_up_to_today(void **state)
{
    static const int64_t ages[] = {-1, 0,  7,
                                   8,  30, 31}; /* the game that ends tomorrow does not count */
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    const int64_t bob = boards_add_account(storage, "bob", 28.0);

    for (size_t i = 0; i < ARRAY_LEN(ages); i++) {
        const struct storage_rating_change change = {.account = ada,
                                                     .game = "whist",
                                                     .players = i == 1 ? 3 : 4,
                                                     .rank = 1,
                                                     .season = SEASON,
                                                     .at_ms = NOW_MS - ages[i] * DAY_MS};
        assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    }
    assert_int_equal(count_games_on_board(storage, ada, STORAGE_SPAN_WEEK, 0), 2);
    assert_int_equal(count_games_on_board(storage, ada, STORAGE_SPAN_WEEK, 3), 1);
    assert_int_equal(count_games_on_board(storage, ada, STORAGE_SPAN_MONTH, 0), 4);
    assert_int_equal(count_games_on_board(storage, ada, STORAGE_SPAN_MONTH, 4), 3);
    assert_int_equal(count_games_on_board(storage, ada, STORAGE_SPAN_ALL, 0), 6);
    assert_int_equal(count_games_on_board(storage, ada, SEASON, 3), 1);
    assert_int_equal(count_games_on_board(storage, bob, STORAGE_SPAN_ALL, 0), 0);
    struct storage_tally tally = {.games = 77};
    assert_ok(leader_lines_sum_tally(storage, &listing, ada, &tally));
    assert_true(tally.last_ms == NOW_MS + DAY_MS);
}

TEST_GROUP(leader_lines)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(the_weekly_rating_change_counts_from_the_rating_a_week_ago),
        FIXTURE_TEST(a_leaderboard_line_is_updated_when_any_of_its_values_changes),
        FIXTURE_TEST(a_past_season_shows_when_an_account_was_last_seen),
        FIXTURE_TEST(leaderboards_of_the_last_month_and_week_show_the_all_time_rating),
        FIXTURE_TEST(an_account_without_a_leaderboard_line_is_not_found),
        FIXTURE_TEST(the_last_week_and_month_are_whole_days_up_to_today),
    };

    return cmocka_run_group_tests_name("leader_lines", tests, NULL, NULL);
}
