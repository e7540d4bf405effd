#include "fixture.h"

#include "storage/account_changes.h"
#include "storage/boards.h"
#include "storage/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_MS INT64_C(86400000)
#define NOW_MS (1000 * DAY_MS)

static const struct storage_listing listing = {.board = {.game = "whist"}, .now_ms = NOW_MS};

static struct storage_standing standing_of(int64_t account, double mu)
{
    return (struct storage_standing){
        .account = account, .board = {.game = "whist"}, .mu = mu, .is_listed = true};
}

static int64_t add_kind(struct storage *storage, const char *name, double mu,
                        enum storage_kind kind)
{
    const int64_t id = fixture_account(storage, name, kind);
    const struct storage_rating rating = {
        .account = id, .game = "whist", .mu = mu, .sigma = 5.0, .rated_ms = NOW_MS, .games = 30};
    const struct storage_standing standing = standing_of(id, mu);

    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_standing_put(storage, &standing));
    return id;
}

static int64_t add(struct storage *storage, const char *name, double mu)
{
    return add_kind(storage, name, mu, STORAGE_PLAYER);
}

static uint32_t count(struct storage *storage, const struct storage_listing *of)
{
    uint32_t total = 77;

    assert_ok(storage_leaders_count(storage, of, &total));
    return total;
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

static void kinds_games_and_those_who_do_not_qualify_have_lists_of_their_own(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_leader rows[8];
    struct storage_leaders_page page = {.rows = rows, .capacity = 8};
    struct storage_listing other = listing;
    struct storage_standing standing;

    standing = standing_of(add(storage, "new", 40.0), 40.0);
    standing.is_listed = false;
    assert_ok(storage_standing_put(storage, &standing));
    (void)add(storage, "good", 25.0);
    (void)add_kind(storage, "robot", 40.0, STORAGE_BOT);
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
    assert_int_equal(count(storage, &other), 0);
    standing.account = 77;
    assert_result(storage_standing_put(storage, &standing), STORAGE_REFUSED);
}

static void a_held_account_is_on_the_list_once_it_is_released(void **state)
{
    struct fixture *fixture = *state;
    struct storage_leader rows[8], own;
    struct storage_leaders_page page = {.rows = rows, .capacity = 8};
    const int64_t bob = add(fixture->storage, "bob", 30.0);
    struct storage_standing standing = standing_of(bob, 30.0);

    (void)add(fixture->storage, "ada", 26.0);
    assert_ok(storage_account_set_held(fixture->storage, bob, true));
    assert_ok(storage_standing_put(fixture->storage, &standing));
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
    struct storage_standing standing = standing_of(bob, 28.0);

    (void)add(storage, "dora", 31.0);
    assert_ok(storage_leader_of(storage, &listing, bob, &leader));
    assert_string_equal(leader.name, "bob");
    assert_int_equal(leader.rank, 2);
    assert_int_equal(leader.index, 2);
    assert_ok(storage_leader_of(storage, &listing, ada, &leader));
    assert_int_equal(leader.rank, 2);
    assert_int_equal(leader.index, 1);
    assert_result(storage_leader_of(storage, &listing, chen, &leader), STORAGE_NOT_FOUND);
    standing.is_listed = false;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_leader_of(storage, &listing, bob, &leader));
    assert_int_equal(leader.rank, 0);
    assert_int_equal(leader.rating.games, 30);
}

/* Ranks are sums of counts kept aside: they are what counting would say, below zero too. */
static void ranks_and_pages_are_what_counting_them_gives(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_leader leader, row;
    struct storage_leaders_page page = {.rows = &row, .capacity = 1};
    static double mus[120];
    int64_t ids[120];

    srand(7);
    for (size_t i = 0; i < 120; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%zu", i);
        mus[i] = rand() % 90 / 16.0 - 2.5; /* on the edges of buckets as well */
        ids[i] = add(storage, name, mus[i] + 1.0);
        const struct storage_rating rating = {
            .account = ids[i], .game = "whist", .mu = mus[i], .games = 30};
        const struct storage_standing standing = standing_of(ids[i], mus[i]);
        assert_ok(storage_rating_save(storage, &rating));
        assert_ok(storage_standing_put(storage, &standing));
    }
    assert_int_equal(count(storage, &listing), 120);
    for (size_t i = 0; i < 120; i++) {
        uint32_t rank = 1;
        for (size_t q = 0; q < 120; q++) {
            rank += mus[q] > mus[i];
        }
        assert_ok(storage_leader_of(storage, &listing, ids[i], &leader));
        assert_int_equal(leader.rank, rank);
        assert_ok(storage_leaders_read(storage, &listing, leader.index, &page));
        assert_int_equal(row.rating.account, ids[i]);
        assert_int_equal(row.rank, rank);
    }
}

static void time_takes_off_the_list_and_then_off_the_board(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_listing young = listing;
    struct storage_standing standing = standing_of(add(storage, "ada", 28.0), 28.0);
    int64_t next_ms = 0;

    young.is_young = true;
    assert_ok(storage_standings_pass(storage, NOW_MS, 9, &next_ms));
    assert_true(next_ms == INT64_MAX);
    standing.listed_until_ms = NOW_MS + 10;
    standing.gone_ms = NOW_MS + 20;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_standings_pass(storage, NOW_MS + 9, 9, &next_ms));
    assert_true(next_ms == NOW_MS + 10);
    assert_int_equal(count(storage, &listing), 1);
    assert_ok(storage_standings_pass(storage, NOW_MS + 10, 9, &next_ms));
    assert_true(next_ms == NOW_MS + 20);
    assert_int_equal(count(storage, &listing), 0);
    assert_int_equal(count(storage, &young), 1);
    assert_ok(storage_standings_pass(storage, NOW_MS + 20, 9, &next_ms));
    assert_true(next_ms == INT64_MAX);
    assert_int_equal(count(storage, &young), 0);
}

static void a_few_at_a_time_are_taken_off(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    int64_t next_ms = 0;

    for (int i = 0; i < 5; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%d", i);
        struct storage_standing standing = standing_of(add(storage, name, 20.0 + i), 20.0 + i);
        standing.listed_until_ms = NOW_MS - 5 + i;
        assert_ok(storage_standing_put(storage, &standing));
    }
    for (uint32_t left = 5; left > 0; left -= left < 2 ? left : 2) {
        assert_int_equal(count(storage, &listing), left);
        assert_ok(storage_standings_pass(storage, NOW_MS, 2, &next_ms));
    }
    assert_int_equal(count(storage, &listing), 0);
    assert_true(next_ms == INT64_MAX);
}

static int64_t play(struct storage *storage, struct storage_rating_change change)
{
    change.game_id = fixture_game(storage, fixture_table(storage));
    assert_ok(storage_rating_change_add(storage, &change));
    assert_ok(storage_tally_change(storage, &change, 1));
    return change.game_id;
}

static void the_change_of_a_week_starts_where_the_week_did(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = add(storage, "ada", 28.0);
    static const double befores[] = {20.0, 26.0, 27.0};
    static const int64_t ages[] = {8 * DAY_MS, 7 * DAY_MS, DAY_MS};
    struct storage_leader leader;

    assert_ok(storage_leader_of(storage, &listing, ada, &leader));
    assert_true(leader.change_week_mu == 0.0);
    for (size_t i = 0; i < 3; i++) {
        (void)play(storage, (struct storage_rating_change){.account = ada,
                                                           .game = "whist",
                                                           .mu_before = befores[i],
                                                           .mu_after = befores[i] + 1.0,
                                                           .at_ms = NOW_MS - ages[i]});
    }
    const struct storage_standing standing = standing_of(ada, 28.0);
    assert_ok(storage_standing_put(storage, &standing));
    /* Days later: by how much since the day that is seven days before. */
    static const double changes[] = {2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct storage_listing later = listing;
        later.now_ms = NOW_MS + (int64_t)i * DAY_MS + 5;
        assert_ok(storage_leader_of(storage, &later, ada, &leader));
        assert_true(leader.change_week_mu == changes[i]);
    }
}

static void put_season(struct storage *storage, int64_t account, double mu)
{
    struct storage_standing standing = standing_of(account, mu);

    standing.board.span = 19723;
    assert_ok(storage_standing_put(storage, &standing));
}

static void days_are_kept_for_a_month(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_rating_change change = {
        .account = add(storage, "ada", 28.0), .game = "whist", .players = 4, .season = 19723};
    int64_t days = 0;

    for (int i = 100; i >= 0; i--) {
        change.at_ms = NOW_MS - i * DAY_MS;
        (void)play(storage, change);
    }
    assert_ok(sql_number(storage, "SELECT count(*) FROM tallies WHERE span < 0", &days));
    assert_int_equal(days, 32); /* today and 31 before */
}

static void assert_lines_are_due(struct storage *storage)
{
    int64_t lines = 0;
    int64_t different = 0;

    assert_ok(sql_number(storage, "SELECT count(*) FROM leader_lines", &lines));
    assert_true(lines > 0);
    assert_ok(sql_number(storage,
                         "SELECT count(*) - (SELECT count(*) FROM (SELECT * FROM leader_lines"
                         " INTERSECT SELECT * FROM leader_lines_due)) FROM leader_lines_due",
                         &different));
    assert_int_equal(different, 0);
    assert_ok(sql_number(storage, "SELECT count(*) FROM leader_lines_due", &different));
    assert_int_equal(lines, different);
}

static void a_line_follows_whatever_it_is_made_of(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_rating rating = {
        .game = "whist", .mu = 28.0, .rated_ms = NOW_MS - DAY_MS, .games = 30};
    struct storage_leader leader;
    int64_t next_ms = 0;

    rating.account = add(storage, "ada", 28.0);
    struct storage_standing standing = standing_of(rating.account, 28.0);
    (void)add(storage, "bob", 26.0);
    (void)add_kind(storage, "robot", 26.0, STORAGE_BOT);
    assert_ok(storage_season_save(storage, 19723, &rating));
    put_season(storage, rating.account, 28.0);
    assert_lines_are_due(storage);
    (void)play(storage, (struct storage_rating_change){.account = rating.account,
                                                       .game = "whist",
                                                       .mu_before = 28.0,
                                                       .season = 19723,
                                                       .season_mu_before = 28.0,
                                                       .at_ms = NOW_MS});
    standing.mu = rating.mu = rating.best_mu = 29.0;
    rating.rated_ms = NOW_MS;
    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_season_save(storage, 19723, &rating));
    put_season(storage, rating.account, 29.0);
    standing.listed_until_ms = NOW_MS + 5;
    assert_ok(storage_standing_put(storage, &standing));
    assert_lines_are_due(storage);
    assert_ok(storage_account_rename(storage, rating.account, "ada2", "ada2"));
    assert_ok(storage_account_set_role(storage, rating.account, STORAGE_ROLE_MOD));
    assert_ok(storage_account_set_seen(storage, rating.account, NOW_MS + 3));
    assert_lines_are_due(storage);
    assert_ok(storage_leader_of(storage, &listing, rating.account, &leader));
    assert_string_equal(leader.name, "ada2");
    assert_int_equal(leader.role, STORAGE_ROLE_MOD);
    assert_true(leader.seen_ms == NOW_MS + 3);
    assert_true(leader.change_week_mu == 1.0);
    assert_ok(storage_standings_pass(storage, NOW_MS + 5, 9, &next_ms));
    assert_lines_are_due(storage);
    assert_ok(storage_account_set_held(storage, rating.account, true));
    assert_lines_are_due(storage);
    assert_ok(storage_ratings_drop(storage, rating.account, "whist"));
    assert_ok(storage_standings_drop(storage, rating.account, "whist"));
    assert_lines_are_due(storage);
}

/* Whose last season is over is seen without a line of that season being written. */
static void a_past_season_tells_when_somebody_was_seen(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = add(storage, "ada", 28.0);
    const int64_t bob = add(storage, "bob", 26.0);
    struct storage_rating rating = {.account = ada, .game = "whist", .mu = 28.0};
    struct storage_listing season = listing;
    struct storage_standing standing = standing_of(bob, 26.0);
    struct storage_leader leader;

    assert_ok(storage_season_save(storage, 19723, &rating));
    put_season(storage, ada, 28.0);
    rating.account = bob;
    rating.mu = 26.0;
    assert_ok(storage_season_save(storage, 19724, &rating));
    standing.board.span = 19724;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_account_set_seen(storage, ada, NOW_MS));
    season.board.span = 19723;
    assert_ok(storage_leader_of(storage, &season, ada, &leader));
    assert_true(leader.seen_ms == NOW_MS);
    assert_ok(storage_leader_of(storage, &listing, ada, &leader));
    assert_true(leader.seen_ms == NOW_MS);
}

/* Time takes accounts off the lists a few boards a turn. */
static void a_board_that_is_behind_is_read_all_the_same(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = add(storage, "ada", 28.0);
    struct storage_standing standing = standing_of(ada, 28.0);
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

static void a_row_counts_the_games_that_fit_its_board(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = add(storage, "ada", 28.0);
    static const struct {
        int32_t span;
        uint8_t players;
        uint32_t games;
    } cases[] = {{STORAGE_SPAN_ALL, 4, 2},   {STORAGE_SPAN_ALL, 3, 1},  {STORAGE_SPAN_MONTH, 0, 2},
                 {STORAGE_SPAN_MONTH, 4, 1}, {STORAGE_SPAN_WEEK, 0, 1}, {19723, 4, 1}};
    struct storage_rating_change change = {.account = ada,
                                           .game = "whist",
                                           .players = 4,
                                           .rank = 2,
                                           .win = 0.5,
                                           .stat_hits = 3,
                                           .stat_chances = 4,
                                           .season = 19723,
                                           .at_ms = NOW_MS};

    (void)play(storage, change);
    change.players = 3;
    change.has_left = true;
    change.at_ms = NOW_MS - 20 * DAY_MS;
    (void)play(storage, change);
    change.players = 4;
    change.season = 19722;
    change.at_ms = NOW_MS - 40 * DAY_MS;
    const struct storage_rating season = {.account = ada, .game = "whist", .mu = 28.0};
    change.game_id = play(storage, change);
    assert_ok(storage_season_save(storage, 19723, &season));
    put_season(storage, ada, 28.0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct storage_leader leader;
        struct storage_listing fit = listing;
        struct storage_standing standing = standing_of(ada, 28.0);
        fit.board.span = standing.board.span = cases[i].span;
        fit.board.players = standing.board.players = cases[i].players;
        assert_ok(storage_standing_put(storage, &standing));
        assert_ok(storage_leader_of(storage, &fit, ada, &leader));
        assert_int_equal(leader.tally.games, cases[i].games);
        assert_true(leader.tally.wins == cases[i].games * 0.5);
        assert_int_equal(leader.tally.finished + leader.tally.left, cases[i].games);
    }
    assert_ok(storage_tally_change(storage, &change, -1));
    struct storage_leader leader;
    struct storage_listing fours = listing;
    struct storage_standing standing = standing_of(ada, 28.0);
    fours.board.players = standing.board.players = 4;
    assert_ok(storage_standing_put(storage, &standing));
    assert_ok(storage_leader_of(storage, &fours, ada, &leader));
    assert_int_equal(leader.tally.games, 1);
    assert_int_equal(leader.tally.stat_chances, 4);
    assert_ok(storage_leader_of(storage, &listing, ada, &leader));
    assert_int_equal(leader.tally.games, 30);
}

static bool keep_last(void *context, uint8_t players, const struct storage_tally *tally)
{
    int64_t *last_ms = context;

    last_ms[players] = tally->last_ms;
    return true;
}

static void the_last_game_is_found_again_when_one_was_taken_out(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = add(storage, "ada", 28.0);
    struct storage_rating_change change = {
        .account = ada, .game = "whist", .players = 4, .season = 19723, .at_ms = NOW_MS - 9};
    int64_t last_ms[8] = {0};

    (void)play(storage, change);
    change.at_ms = NOW_MS;
    change.game_id = play(storage, change);
    assert_ok(storage_tallies_each(storage, ada, &listing.board, keep_last, last_ms));
    assert_true(last_ms[4] == NOW_MS);
    assert_ok(storage_rating_changes_drop(storage, change.game_id));
    assert_ok(storage_tally_change(storage, &change, -1));
    assert_ok(storage_tallies_mend(storage, ada, "whist"));
    assert_ok(storage_tallies_each(storage, ada, &listing.board, keep_last, last_ms));
    assert_true(last_ms[4] == NOW_MS - 9);
}

/* Whatever the lists ask is found by an index; the only rows gone through are those told, a number
 * of counts, and the few that share an eighth of mu. */
static void no_question_goes_through_a_whole_table(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    static const int32_t spans[] = {STORAGE_SPAN_ALL, STORAGE_SPAN_MONTH, 19723};
    struct storage_leader row;
    struct storage_leaders_page page = {.rows = &row, .capacity = 1};
    const int64_t ada = add(storage, "ada", 28.0);
    const struct storage_rating season = {.account = ada, .game = "whist", .rated_ms = NOW_MS};
    size_t explained = 0;

    assert_ok(storage_season_save(storage, 19723, &season));
    put_season(storage, ada, 0.0);
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        struct storage_listing fit = listing;
        struct storage_standing standing = standing_of(ada, i == 2 ? 0.0 : 28.0);
        fit.board.span = standing.board.span = spans[i];
        fit.board.players = standing.board.players = 4;
        assert_ok(storage_standing_put(storage, &standing));
        assert_ok(storage_leaders_read(storage, &fit, 0, &page));
        assert_ok(storage_leader_of(storage, &fit, ada, &row));
    }
    for (size_t i = 0; i < SQL_SLOTS; i++) {
        const char *text = storage->slots[i].text;
        if (text == NULL || strncmp(text, "SELECT", 6) != 0 ||
            strstr(text, "moves_new") != NULL) { /* asked while opening */
            continue;
        }
        char question[2048];
        sqlite3_stmt *plan = NULL;
        (void)snprintf(question, sizeof question, "EXPLAIN QUERY PLAN %s", text);
        assert_int_equal(sqlite3_prepare_v2(storage->db, question, -1, &plan, NULL), SQLITE_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(the_list_goes_by_mu_and_equals_share_a_rank),
        FIXTURE_TEST(kinds_games_and_those_who_do_not_qualify_have_lists_of_their_own),
        FIXTURE_TEST(a_held_account_is_on_the_list_once_it_is_released),
        FIXTURE_TEST(ones_own_row_is_found_on_the_list_and_off_it),
        FIXTURE_TEST(ranks_and_pages_are_what_counting_them_gives),
        FIXTURE_TEST(time_takes_off_the_list_and_then_off_the_board),
        FIXTURE_TEST(a_few_at_a_time_are_taken_off),
        FIXTURE_TEST(the_change_of_a_week_starts_where_the_week_did),
        FIXTURE_TEST(a_row_counts_the_games_that_fit_its_board),
        FIXTURE_TEST(days_are_kept_for_a_month),
        FIXTURE_TEST(a_line_follows_whatever_it_is_made_of),
        FIXTURE_TEST(a_past_season_tells_when_somebody_was_seen),
        FIXTURE_TEST(a_board_that_is_behind_is_read_all_the_same),
        FIXTURE_TEST(the_last_game_is_found_again_when_one_was_taken_out),
        FIXTURE_TEST(no_question_goes_through_a_whole_table),
    };

    return cmocka_run_group_tests_name("boards", tests, NULL, NULL);
}
