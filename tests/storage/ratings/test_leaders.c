#include "storage/ratings/ratings.h"
#include "storage/sql/sql.h"
#include "tests/storage/boards_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static const struct storage_listing listing = BOARDS_LISTING;

static void the_leaderboard_is_ordered_by_mu_and_equals_share_a_rank(void **state)
{
    struct fixture *fixture = *state;
    struct storage_leader rows[8];
    struct storage_leaders_page page = {.rows = rows, .capacity = 8};
    static const char *const names[] = {"ada", "bob", "chen", "dora", "ella"};
    static const double mus[] = {26.0, 30.0, 28.0, 28.0, 20.0};

    for (size_t i = 0; i < 5; i++) {
        (void)boards_add_account(fixture->storage, names[i], mus[i]);
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

static void people_bots_and_accounts_that_do_not_qualify_have_separate_lists(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_leader rows[8];
    struct storage_leaders_page page = {.rows = rows, .capacity = 8};
    struct storage_listing other = listing;
    struct storage_standing standing;

    standing = boards_make_standing(boards_add_account(storage, "new", 40.0), 40.0);
    standing.is_listed = false;
    assert_ok(storage_standing_put(storage, &standing));
    (void)boards_add_account(storage, "good", 25.0);
    (void)boards_add_account_of_kind(storage, "robot", 40.0, STORAGE_BOT);
    assert_ok(storage_leaders_read(storage, &listing, 0, &page));
    assert_int_equal(page.total, 1);
    assert_string_equal(rows[0].name, "good");
    other.board.is_bots = true;
    assert_ok(storage_leaders_read(storage, &other, 0, &page));
    assert_int_equal(page.total, 1);
    assert_string_equal(rows[0].name, "robot");
    assert_int_equal(rows[0].kind, STORAGE_BOT);
    other = listing;
    other.is_young = true;
    assert_ok(storage_leaders_read(storage, &other, 0, &page));
    assert_int_equal(page.total, 1);
    assert_string_equal(rows[0].name, "new");
    other.board.game = "bridge";
    assert_int_equal(boards_count_rows(storage, &other), 0);
    standing.account = 77;
    assert_result(storage_standing_put(storage, &standing), STORAGE_REFUSED);
}

static void a_pending_account_is_listed_once_it_is_released(void **state)
{
    struct fixture *fixture = *state;
    struct storage_leader rows[8], own;
    struct storage_leaders_page page = {.rows = rows, .capacity = 8};
    const int64_t bob = boards_add_account(fixture->storage, "bob", 30.0);
    struct storage_standing standing = boards_make_standing(bob, 30.0);

    (void)boards_add_account(fixture->storage, "ada", 26.0);
    assert_ok(storage_account_set_pending(fixture->storage, bob, true));
    assert_ok(storage_standing_put(fixture->storage, &standing));
    assert_ok(storage_leaders_read(fixture->storage, &listing, 0, &page));
    assert_int_equal(page.total, 1);
    assert_string_equal(rows[0].name, "ada");
    assert_int_equal(rows[0].rank, 1);
    assert_ok(storage_leader_read(fixture->storage, &listing, bob, &own));
    assert_int_equal(own.rank, 0);
    assert_ok(storage_account_set_pending(fixture->storage, bob, false));
    assert_ok(storage_leader_read(fixture->storage, &listing, bob, &own));
    assert_int_equal(own.rank, 1);
    assert_result(storage_account_set_pending(fixture->storage, bob + 10, true), STORAGE_NOT_FOUND);
}

static void an_accounts_row_is_found_whether_it_is_listed_or_not(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_leader leader;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    const int64_t bob = boards_add_account(storage, "bob", 28.0);
    const int64_t chen = fixture_add_account(storage, "chen", STORAGE_PLAYER);
    struct storage_standing standing = boards_make_standing(bob, 28.0);

    (void)boards_add_account(storage, "dora", 31.0);
    assert_ok(storage_leader_read(storage, &listing, bob, &leader));
    assert_string_equal(leader.name, "bob");
    assert_int_equal(leader.rank, 2);
    assert_int_equal(leader.index, 2);
    assert_ok(storage_leader_read(storage, &listing, ada, &leader));
    assert_int_equal(leader.rank, 2);
    assert_int_equal(leader.index, 1);
    assert_result(storage_leader_read(storage, &listing, chen, &leader), STORAGE_NOT_FOUND);
    standing.is_listed = false;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_leader_read(storage, &listing, bob, &leader));
    assert_int_equal(leader.rank, 0);
    assert_int_equal(leader.rating.games, 30);
}

/* Ranks are sums of stored counts. They must equal the result of counting the rows, for negative
 * ratings too. */
static void ranks_and_pages_agree_with_a_plain_count(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_leader leader, row;
    struct storage_leaders_page page = {.rows = &row, .capacity = 1};
    static double mus[120];
    int64_t ids[120];
    uint32_t noise = 7;

    for (size_t i = 0; i < 120; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%zu", i);
        noise = noise * 1664525U + 1013904223U;
        mus[i] = (noise >> 16) % 90 / 16.0 - 2.5; /* some ratings are at the edges of buckets */
        ids[i] = boards_add_account(storage, name, mus[i] + 1.0);
        const struct storage_rating rating = {
            .account = ids[i], .game = "whist", .mu = mus[i], .games = 30};
        const struct storage_standing standing = boards_make_standing(ids[i], mus[i]);
        assert_ok(storage_rating_save(storage, &rating));
        assert_ok(storage_standing_put(storage, &standing));
    }
    assert_int_equal(boards_count_rows(storage, &listing), 120);
    for (size_t i = 0; i < 120; i++) {
        uint32_t rank = 1;
        for (size_t q = 0; q < 120; q++) {
            rank += mus[q] > mus[i];
        }
        assert_ok(storage_leader_read(storage, &listing, ids[i], &leader));
        assert_int_equal(leader.rank, rank);
        assert_ok(storage_leaders_read(storage, &listing, leader.index, &page));
        assert_int_equal(row.rating.account, ids[i]);
        assert_int_equal(row.rank, rank);
    }
}

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

    (void)boards_add_game(storage, change);
    change.players = 3;
    change.has_left = true;
    change.at_ms = NOW_MS - 20 * DAY_MS;
    (void)boards_add_game(storage, change);
    change.players = 4;
    change.season = 19722;
    change.at_ms = NOW_MS - 40 * DAY_MS;
    const struct storage_rating season = {.account = ada, .game = "whist", .mu = 28.0};
    change.game_id = boards_add_game(storage, change);
    assert_ok(storage_season_rating_save(storage, SEASON, &season));
    boards_put_season_standing(storage, ada, 28.0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct storage_leader leader;
        struct storage_listing fit = listing;
        struct storage_standing standing = boards_make_standing(ada, 28.0);
        fit.board.span = standing.board.span = cases[i].span;
        fit.board.players = standing.board.players = cases[i].players;
        assert_ok(storage_standing_put(storage, &standing));
        assert_ok(storage_leader_read(storage, &fit, ada, &leader));
        assert_int_equal(leader.tally.games, cases[i].games);
        assert_true(leader.tally.wins == cases[i].games * 0.5);
        assert_int_equal(leader.tally.finished + leader.tally.left, cases[i].games);
    }
    assert_ok(storage_tallies_add_rating_change(storage, &change, -1));
    struct storage_leader leader;
    struct storage_listing fours = listing;
    struct storage_standing standing = boards_make_standing(ada, 28.0);
    fours.board.players = standing.board.players = 4;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_leader_read(storage, &fours, ada, &leader));
    assert_int_equal(leader.tally.games, 1);
    assert_int_equal(leader.tally.stat_chances, 4);
    assert_ok(storage_leader_read(storage, &listing, ada, &leader));
    assert_int_equal(leader.tally.games, 30);
}

/* Expiry handles a few leaderboards at a time, so a leaderboard can be read while its expiry is
 * overdue. */
static void a_leaderboard_with_overdue_expiries_can_be_read(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    struct storage_standing standing = boards_make_standing(ada, 28.0);
    struct storage_listing month = listing;
    struct storage_leader row;
    struct storage_leaders_page page = {.rows = &row, .capacity = 1};

    standing.is_listed = false;
    assert_ok(storage_standing_put(storage, &standing));
    standing.is_listed = true;
    standing.board.span = month.board.span = STORAGE_SPAN_MONTH;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_leaders_read(storage, &month, 0, &page));
    assert_int_equal(page.count, 1);
    assert_string_equal(row.name, "ada");
    assert_int_equal(row.rank, 1);
}

/* Every query of the leaderboards uses an index. It visits only the rows it returns, the stored
 * counts of rows, and the few rows in the same bucket, a range of mu that is 1/8 wide. */
static void no_leaderboard_query_scans_a_whole_table(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    static const int32_t spans[] = {STORAGE_SPAN_ALL, STORAGE_SPAN_MONTH, SEASON};
    struct storage_leader row;
    struct storage_leaders_page page = {.rows = &row, .capacity = 1};
    SKIP_ON_POSTGRES("asks SQLite how it carries out the statements");
    const int64_t ada = boards_add_account(storage, "ada", 28.0);
    const struct storage_rating season = {.account = ada, .game = "whist", .rated_ms = NOW_MS};
    size_t explained = 0;

    assert_ok(storage_season_rating_save(storage, SEASON, &season));
    boards_put_season_standing(storage, ada, 0.0);
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        struct storage_listing fit = listing;
        struct storage_standing standing = boards_make_standing(ada, i == 2 ? 0.0 : 28.0);
        fit.board.span = standing.board.span = spans[i];
        fit.board.players = standing.board.players = 4;
        assert_ok(storage_standing_put(storage, &standing));
        assert_ok(storage_leaders_read(storage, &fit, 0, &page));
        assert_ok(storage_leader_read(storage, &fit, ada, &row));
    }
    for (size_t i = 0; i < SQL_SLOTS; i++) {
        const char *text = storage->slots[i].text;
        if (text == NULL || strncmp(text, "SELECT", 6) != 0 ||
            strstr(text, "moves_new") != NULL) { /* this query runs while the storage is opened */
            continue;
        }
        char query[2048];
        sqlite3_stmt *plan = NULL;
        (void)snprintf(query, sizeof query, "EXPLAIN QUERY PLAN %s", text);
        assert_int_equal(sqlite3_prepare_v2(storage->db, query, -1, &plan, NULL), SQLITE_OK);
        while (sqlite3_step(plan) == SQLITE_ROW) {
            const char *detail = (const char *)sqlite3_column_text(plan, 3);
            if (strncmp(detail, "SCAN CONSTANT ROW", 17) != 0) {
                assert_null(strstr(detail, "TEMP B-TREE"));
                if (strncmp(detail, "SCAN", 4) == 0) {
                    fail_msg("%s: %s", detail, text);
                }
            }
            explained++;
        }
        (void)sqlite3_finalize(plan);
    }
    assert_true(explained > 10);
}

static void an_empty_leaderboard_is_not_an_error(void **state)
{
    struct fixture *fixture = *state;
    struct storage_leader row;
    struct storage_leaders_page page = {.rows = &row, .capacity = 1, .count = 9, .total = 9};
    double mu = 77.0;

    assert_int_equal(boards_count_rows(fixture->storage, &listing), 0);
    assert_ok(storage_leaders_read(fixture->storage, &listing, 0, &page));
    assert_int_equal(page.count, 0);
    assert_int_equal(page.total, 0);
    assert_result(storage_leader_read(fixture->storage, &listing, 1, &row), STORAGE_NOT_FOUND);
    assert_result(storage_leader_read_mu(fixture->storage, &listing, 1, &mu), STORAGE_NOT_FOUND);
    assert_true(mu == 77.0);
}

static void an_accounts_mu_is_read_from_the_requested_leaderboard(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_listing young = listing, season = listing;
    double mu = 77.0;
    const int64_t ada = boards_add_account(storage, "ada", 28.0);

    boards_put_season_standing(storage, ada, 25.5);
    season.board.span = SEASON;
    young.is_young = true;
    assert_ok(storage_leader_read_mu(storage, &listing, ada, &mu));
    assert_true(mu == 28.0);
    assert_ok(storage_leader_read_mu(storage, &season, ada, &mu));
    assert_true(mu == 25.5);
    assert_result(storage_leader_read_mu(storage, &young, ada, &mu), STORAGE_NOT_FOUND);
    assert_result(storage_leader_read_mu(storage, &listing, ada + 1, &mu), STORAGE_NOT_FOUND);
}

/* The last rows of a page and the first of the next are equal: they share the rank of the first
 * equal row. */
static void equal_ratings_share_a_rank_across_pages(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_leader rows[2];
    struct storage_leaders_page page = {.rows = rows, .capacity = 2};
    static const char *const names[] = {"ada", "bob", "chen", "dora", "ella"};
    static const double mus[] = {30.0, 28.0, 28.0, 28.0, 27.0};
    static const uint32_t ranks[] = {1, 2, 2, 2, 5};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        (void)boards_add_account(storage, names[i], mus[i]);
    }
    for (uint32_t offset = 0; offset < 5; offset++) {
        assert_ok(storage_leaders_read(storage, &listing, offset, &page));
        assert_int_equal(page.count, offset == 4 ? 1 : 2);
        for (uint32_t i = 0; i < page.count; i++) {
            assert_string_equal(rows[i].name, names[offset + i]);
            assert_int_equal(rows[i].rank, ranks[offset + i]);
            assert_int_equal(rows[i].index, offset + i);
        }
    }
}

TEST_GROUP(leaders)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(the_leaderboard_is_ordered_by_mu_and_equals_share_a_rank),
        FIXTURE_TEST(people_bots_and_accounts_that_do_not_qualify_have_separate_lists),
        FIXTURE_TEST(a_pending_account_is_listed_once_it_is_released),
        FIXTURE_TEST(an_accounts_row_is_found_whether_it_is_listed_or_not),
        FIXTURE_TEST(ranks_and_pages_agree_with_a_plain_count),
        FIXTURE_TEST(a_leaderboard_row_counts_only_the_games_of_its_board),
        FIXTURE_TEST(a_leaderboard_with_overdue_expiries_can_be_read),
        FIXTURE_TEST(no_leaderboard_query_scans_a_whole_table),
        FIXTURE_TEST(an_empty_leaderboard_is_not_an_error),
        FIXTURE_TEST(an_accounts_mu_is_read_from_the_requested_leaderboard),
        FIXTURE_TEST(equal_ratings_share_a_rank_across_pages),
    };

    return cmocka_run_group_tests_name("leaders", tests, NULL, NULL);
}
