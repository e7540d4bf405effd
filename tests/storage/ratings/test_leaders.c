#include "storage/ratings/ratings.h"

#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"
#include "tests/storage/boards_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static const struct storage_listing listing = BOARDS_LISTING;

static void a_leaderboard_row_counts_only_the_games_of_its_board(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    static const struct {
        int32_t span;
        uint8_t players;
        uint32_t games;
    } cases[] = {{STORAGE_SPAN_ALL, 4, 2},   {STORAGE_SPAN_ALL, 3, 1},  {STORAGE_SPAN_MONTH, 0, 2},
                 {STORAGE_SPAN_MONTH, 4, 1}, {STORAGE_SPAN_WEEK, 0, 1}, {SEASON, 4, 1}};
    struct storage_rating_change change = {.account = ada,
                                           .game = "whist",
                                           .players = 4,
                                           .rank = 2,
                                           .win = 0.5,
                                           .stat_hits = 3,
                                           .stat_chances = 4,
                                           .season = SEASON,
                                           .at_ms = NOW_MS};
    struct storage_leader leader;

    (void)boards_add_game(storage, change);
    change.players = 3;
    change.has_left = true;
    change.at_ms = NOW_MS - 20 * DAY_MS;
    (void)boards_add_game(storage, change);
    change.players = 4;
    change.season = 19722;
    change.at_ms = NOW_MS - 40 * DAY_MS;
    const struct storage_rating season = {
        .account = ada, .game = "whist", .season = SEASON, .mu = 28.0};
    change.game_id = boards_add_game(storage, change);
    assert_ok(storage_rating_save(storage, &season));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct storage_listing fit = listing;
        fit.board.span = cases[i].span;
        fit.board.players = cases[i].players;
        assert_true(boards_read_row(storage, &fit, ada, &leader));
        assert_int_equal(leader.tally.games, cases[i].games);
        assert_true(leader.tally.wins == cases[i].games * 0.5);
        assert_int_equal(leader.tally.finished + leader.tally.left, cases[i].games);
    }
    assert_ok(storage_tallies_add_rating_change(storage, &change, -1));
    struct storage_listing fours = listing;
    fours.board.players = 4;
    assert_true(boards_read_row(storage, &fours, ada, &leader));
    assert_int_equal(leader.tally.games, 1);
    assert_int_equal(leader.tally.stat_chances, 4);
    assert_true(boards_read_row(storage, &listing, ada, &leader));
    assert_int_equal(leader.tally.games, 30);
}

static void the_weekly_rating_change_counts_from_the_rating_a_week_ago(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    static const double befores[] = {20.0, 26.0, 27.0};
    static const int64_t ages[] = {8 * DAY_MS, 7 * DAY_MS, DAY_MS};
    struct storage_leader leader;

    assert_true(boards_read_row(storage, &listing, ada, &leader));
    assert_true(leader.change_week_mu == 0.0);
    for (size_t i = 0; i < 3; i++) {
        (void)boards_add_game(storage, (struct storage_rating_change){.account = ada,
                                                                      .game = "whist",
                                                                      .mu_before = befores[i],
                                                                      .mu_after = befores[i] + 1.0,
                                                                      .at_ms = NOW_MS - ages[i]});
    }
    /* Reads the weekly rating change on later days: each time, it is the change since seven days
     * before. */
    static const double changes[] = {2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct storage_listing later = listing;
        later.now_ms = NOW_MS + (int64_t)i * DAY_MS + 5;
        assert_true(boards_read_row(storage, &later, ada, &leader));
        assert_true(leader.change_week_mu == changes[i]);
    }
}

static void the_weekly_change_in_a_season_counts_only_its_games(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_rating rating = {.game = "whist", .mu = 28.0, .games = 1};
    struct storage_rating_change change = {.game = "whist", .mu_before = 20.0};
    struct storage_listing season = listing;
    struct storage_leader leader;

    change.account = rating.account = boards_add_account(storage, "ada", 28.0);
    rating.season = SEASON;
    assert_ok(storage_rating_save(storage, &rating));
    change.season = SEASON - 1;
    change.at_ms = NOW_MS - 2 * DAY_MS;
    (void)boards_add_game(storage, change);
    change.season = SEASON;
    change.season_mu_before = 25.5;
    change.at_ms = NOW_MS - DAY_MS;
    (void)boards_add_game(storage, change);
    season.board.span = SEASON;
    assert_true(boards_read_row(storage, &season, rating.account, &leader));
    assert_true(leader.change_week_mu == 2.5);
    assert_true(boards_read_row(storage, &listing, rating.account, &leader));
    assert_true(leader.change_week_mu == 8.0);
}

static void a_row_shows_what_its_account_is_now(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_rating rating = {.game = "whist", .mu = 27.0, .games = 1};
    static const int32_t spans[] = {STORAGE_SPAN_ALL, STORAGE_SPAN_WEEK, SEASON};
    struct storage_leader leader;

    rating.account = boards_add_account_of_kind(storage, "ada", 28.0, STORAGE_BOT);
    rating.season = SEASON;
    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_account_rename(storage, rating.account, "ada2", "ada2"));
    assert_ok(storage_account_set_role(storage, rating.account, STORAGE_ROLE_MOD));
    assert_ok(storage_account_set_last_seen(storage, rating.account, NOW_MS + 3));
    for (size_t i = 0; i < ARRAY_LEN(spans); i++) {
        struct storage_listing fit = listing;
        fit.board.span = spans[i];
        assert_true(boards_read_row(storage, &fit, rating.account, &leader));
        assert_string_equal(leader.name, "ada2");
        assert_int_equal(leader.kind, STORAGE_BOT);
        assert_int_equal(leader.role, STORAGE_ROLE_MOD);
        assert_true(leader.seen_ms == NOW_MS + 3);
        assert_true(leader.rating.mu == (spans[i] == SEASON ? 27.0 : 28.0));
    }
}

static uint32_t count_games_on_board(struct storage *storage, int64_t account, int32_t span,
                                     uint8_t players)
{
    struct storage_listing of = listing;
    struct storage_leader row;

    of.board.span = span;
    of.board.players = players;
    assert_true(boards_read_row(storage, &of, account, &row));
    return row.tally.games;
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
    assert_int_equal(count_games_on_board(storage, ada, STORAGE_SPAN_ALL, 4), 5);
    assert_int_equal(count_games_on_board(storage, bob, STORAGE_SPAN_ALL, 4), 0);
    struct storage_listing fours = listing;
    struct storage_leader row;
    fours.board.players = 4;
    assert_true(boards_read_row(storage, &fours, ada, &row));
    assert_true(row.tally.last_ms == NOW_MS + DAY_MS);
}

/* The rows of a long page take several queries. Each row stays in its place. */
static void each_row_of_a_page_is_filled_in_its_place(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    static struct storage_leader rows[50];
    int64_t ids[50];

    for (size_t i = 0; i < 50; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%zu", i);
        ids[i] = i % 10 == 3 ? fixture_add_account(storage, name, STORAGE_PLAYER)
                             : boards_add_account(storage, name, (double)i);
    }
    for (size_t i = 0; i < 50; i++) {
        rows[i] = (struct storage_leader){.rank = 7, .rating.account = ids[i * 7 % 50]};
    }
    assert_ok(storage_leaders_read(storage, &listing, rows, 50));
    for (size_t i = 0; i < 50; i++) {
        char name[16];
        const size_t who = i * 7 % 50;
        (void)snprintf(name, sizeof name, "p%zu", who);
        assert_true(rows[i].rating.account == ids[who]);
        assert_string_equal(rows[i].name, who % 10 == 3 ? "" : name);
        assert_int_equal(rows[i].rating.games, who % 10 == 3 ? 0 : 30);
        assert_int_equal(rows[i].rank, 7);
    }
    assert_ok(storage_leaders_read(storage, &listing, rows, 0));
}

static bool ignore_standing(void *context, const struct storage_standing *standing)
{
    (void)context;
    return standing->account != 0;
}

/* Only the first request for a leaderboard reads all ratings of a game. */
static void no_query_of_a_page_scans_a_whole_table(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    static const int32_t spans[] = {STORAGE_SPAN_ALL, STORAGE_SPAN_MONTH, SEASON};
    struct storage_leader row;
    SKIP_ON_POSTGRES("asks SQLite how it carries out the statements");
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    size_t explained = 0;

    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        struct storage_listing fit = listing;
        fit.board.span = spans[i];
        fit.board.players = 4;
        (void)boards_read_row(storage, &fit, ada, &row);
        assert_ok(storage_standings_each(storage, &fit.board, ada, ignore_standing, NULL));
    }
    for (size_t i = 0; i < SQL_SLOTS; i++) {
        const char *text = storage->slots[i].text;
        if (text == NULL || strncmp(text, "SELECT", 6) != 0) {
            continue;
        }
        static char query[4096];
        sqlite3_stmt *plan = NULL;
        (void)snprintf(query, sizeof query, "EXPLAIN QUERY PLAN %s", text);
        assert_int_equal(sqlite3_prepare_v2(storage->db, query, -1, &plan, NULL), SQLITE_OK);
        while (sqlite3_step(plan) == SQLITE_ROW) {
            const char *detail = (const char *)sqlite3_column_text(plan, 3);
            if (strncmp(detail, "SCAN", 4) == 0 && strstr(detail, "SCAN CONSTANT ROW") == NULL) {
                fail_msg("%s: %s", detail, text);
            }
            explained++;
        }
        (void)sqlite3_finalize(plan);
    }
    assert_true(explained > 5);
}

TEST_GROUP(leaders)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_leaderboard_row_counts_only_the_games_of_its_board),
        FIXTURE_TEST(the_weekly_rating_change_counts_from_the_rating_a_week_ago),
        FIXTURE_TEST(the_weekly_change_in_a_season_counts_only_its_games),
        FIXTURE_TEST(a_row_shows_what_its_account_is_now),
        FIXTURE_TEST(the_last_week_and_month_are_whole_days_up_to_today),
        FIXTURE_TEST(each_row_of_a_page_is_filled_in_its_place),
        FIXTURE_TEST(no_query_of_a_page_scans_a_whole_table),
    };

    return cmocka_run_group_tests_name("leaders", tests, NULL, NULL);
}
