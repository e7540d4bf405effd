#include "lobby/ratings/ratings.h"

#include "lobby/house/house.h"
#include "lobby/house/house_state.h"
#include "storage/accounts/accounts.h"
#include "storage/sql/sql.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define NOW_MS (20000 * DAY_MS)
#define SEASON 20243

static const struct storage_listing listing = {.board = {.game = "whist"}, .now_ms = NOW_MS};

static int setup(void **state)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;
    const struct house_config config = house_config_default();

    assert_int_equal(storage_open(STORAGE_IN_MEMORY, &storage, why), STORAGE_OK);
    *state = house_new(&config, storage, NOW_MS);
    assert_non_null(*state);
    return 0;
}

static int teardown(void **state)
{
    struct house *house = *state;
    struct storage *storage = house->storage;

    assert_false(house->is_failed);
    house_free(house);
    storage_close(storage);
    return 0;
}

#define BOARD_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

static int64_t add_account(struct house *house, const char *name, enum storage_kind kind)
{
    struct storage_account account = {.kind = kind, .settings = "{}"};
    int64_t id = 0;

    (void)snprintf(account.name, sizeof account.name, "%s", name);
    (void)snprintf(account.skeleton, sizeof account.skeleton, "%s", name);
    assert_int_equal(storage_account_add(house->storage, &account, &id), STORAGE_OK);
    return id;
}

/* A rating that qualifies. */
static struct storage_rating make_rating(int64_t account, double mu)
{
    struct storage_rating rating = {
        .account = account, .mu = mu, .sigma = 5.0, .rated_ms = NOW_MS, .games = 30};

    (void)snprintf(rating.game, sizeof rating.game, "whist");
    return rating;
}

static void save_rating(struct house *house, const struct storage_rating *rating)
{
    assert_int_equal(storage_rating_save(house->storage, rating), STORAGE_OK);
    boards_update_account(house, rating->account, rating->game);
}

static int64_t add_rated_account(struct house *house, const char *name, double mu)
{
    const struct storage_rating rating = make_rating(add_account(house, name, STORAGE_PLAYER), mu);

    save_rating(house, &rating);
    return rating.account;
}

/* Counts a game of `players` players, which ended at `at_ms`, in the account's tallies. */
static void add_game(struct house *house, int64_t account, uint8_t players, int64_t at_ms)
{
    struct storage_rating_change change = {
        .account = account, .players = players, .rank = 1, .season = SEASON, .at_ms = at_ms};

    (void)snprintf(change.game, sizeof change.game, "whist");
    assert_int_equal(storage_tallies_add_rating_change(house->storage, &change, 1), STORAGE_OK);
    boards_update_account(house, account, "whist");
}

/* Checks the names on the board, "ada bob ". */
static void assert_board(struct house *house, const struct storage_listing *of, const char *names)
{
    struct storage_leader rows[50];
    struct board_page page = {.rows = rows, .capacity = 50};
    char text[1024] = "";

    board_read(house, of, NULL, 0, &page);
    for (size_t i = 0; i < page.count; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s ", rows[i].name);
    }
    assert_string_equal(text, names);
    assert_int_equal(board_is_empty(house, of), names[0] == '\0');
}

static void a_board_is_ordered_by_mu_and_equals_share_a_rank(void **state)
{
    struct house *house = *state;
    struct storage_leader rows[8];
    struct board_page page = {.rows = rows, .capacity = 8};
    static const char *const names[] = {"ada", "bob", "chen", "dora", "eve"};
    static const double mus[] = {26.0, 30.0, 28.0, 28.0, 20.0};
    static const char *const order[] = {"bob", "chen", "dora", "ada", "eve"};
    static const uint32_t ranks[] = {1, 2, 2, 4, 5};

    for (size_t i = 0; i < 5; i++) {
        (void)add_rated_account(house, names[i], mus[i]);
    }
    board_read(house, &listing, NULL, 0, &page);
    assert_int_equal(page.total, 5);
    assert_int_equal(page.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(rows[i].name, order[i]);
        assert_int_equal(rows[i].rank, ranks[i]);
        assert_int_equal(rows[i].index, i);
    }
    board_read(house, &listing, NULL, 5, &page);
    assert_int_equal(page.count, 0);
    assert_int_equal(page.total, 5);
}

/* The last rows of a page and the first of the next are equal: they share the rank of the first
 * equal row. */
static void equal_ratings_share_a_rank_across_pages(void **state)
{
    struct house *house = *state;
    struct storage_leader rows[2];
    struct board_page page = {.rows = rows, .capacity = 2};
    static const char *const names[] = {"ada", "bob", "chen", "dora", "eve"};
    static const double mus[] = {30.0, 28.0, 28.0, 28.0, 27.0};
    static const uint32_t ranks[] = {1, 2, 2, 2, 5};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        (void)add_rated_account(house, names[i], mus[i]);
    }
    for (uint32_t offset = 0; offset < 5; offset++) {
        board_read(house, &listing, NULL, offset, &page);
        assert_int_equal(page.count, offset == 4 ? 1 : 2);
        for (uint32_t i = 0; i < page.count; i++) {
            assert_string_equal(rows[i].name, names[offset + i]);
            assert_int_equal(rows[i].rank, ranks[offset + i]);
            assert_int_equal(rows[i].index, offset + i);
        }
    }
}

static void people_bots_and_accounts_that_do_not_qualify_have_boards_of_their_own(void **state)
{
    struct house *house = *state;
    struct storage_listing other = listing;
    struct storage_rating rating = make_rating(add_account(house, "new", STORAGE_PLAYER), 40.0);

    assert_board(house, &listing, "");
    rating.games = 29;
    save_rating(house, &rating);
    (void)add_rated_account(house, "good", 25.0);
    rating = make_rating(add_account(house, "robot", STORAGE_BOT), 40.0);
    save_rating(house, &rating);
    assert_board(house, &listing, "good ");
    other.board.is_bots = true;
    assert_board(house, &other, "robot ");
    other.board.is_bots = false;
    other.is_young = true;
    assert_board(house, &other, "new ");
    other.board.game = "bridge";
    assert_board(house, &other, "");
}

static void an_account_on_hold_is_listed_once_it_is_released(void **state)
{
    struct house *house = *state;
    struct storage_leader own;
    const int64_t bob = add_rated_account(house, "bob", 30.0);

    (void)add_rated_account(house, "ada", 26.0);
    assert_board(house, &listing, "bob ada ");
    assert_int_equal(storage_account_set_pending(house->storage, bob, true), STORAGE_OK);
    boards_update_account(house, bob, NULL);
    assert_board(house, &listing, "ada ");
    assert_true(board_read_account(house, &listing, bob, &own));
    assert_int_equal(own.rank, 0);
    assert_int_equal(storage_account_set_pending(house->storage, bob, false), STORAGE_OK);
    boards_update_account(house, bob, NULL);
    assert_board(house, &listing, "bob ada ");
}

static void an_accounts_row_is_found_whether_it_is_listed_or_not(void **state)
{
    struct house *house = *state;
    struct storage_leader leader;
    const int64_t ada = add_rated_account(house, "ada", 28.0);
    const int64_t bob = add_rated_account(house, "bob", 28.0);
    const int64_t chen = add_account(house, "chen", STORAGE_PLAYER);
    struct storage_rating rating = make_rating(bob, 28.0);

    (void)add_rated_account(house, "dora", 31.0);
    assert_true(board_read_account(house, &listing, bob, &leader));
    assert_string_equal(leader.name, "bob");
    assert_int_equal(leader.rank, 2);
    assert_int_equal(leader.index, 2);
    assert_true(board_read_account(house, &listing, ada, &leader));
    assert_int_equal(leader.rank, 2);
    assert_int_equal(leader.index, 1);
    assert_false(board_read_account(house, &listing, chen, &leader));
    rating.games = 29;
    save_rating(house, &rating);
    assert_true(board_read_account(house, &listing, bob, &leader));
    assert_int_equal(leader.rank, 0);
    assert_int_equal(leader.rating.games, 29);
}

/* Moves accounts up and down many times: ranks and pages must agree with a plain count, and with
 * the boards of a house that has just read them. */
static void ranks_and_pages_agree_with_a_plain_count(void **state)
{
    struct house *house = *state;
    struct storage_leader leader, row;
    struct board_page page = {.rows = &row, .capacity = 1};
    static double mus[120];
    int64_t ids[120];
    uint32_t noise = 7;

    for (size_t i = 0; i < 120; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%zu", i);
        ids[i] = add_rated_account(house, name, 1.0);
    }
    assert_false(board_is_empty(house, &listing));
    for (size_t i = 0; i < 360; i++) {
        noise = noise * 1664525U + 1013904223U;
        mus[i % 120] = (noise >> 16) % 90 / 16.0 - 2.5;
        const struct storage_rating rating = make_rating(ids[i % 120], mus[i % 120]);
        save_rating(house, &rating);
    }
    for (size_t i = 0; i < 120; i++) {
        uint32_t rank = 1;
        for (size_t q = 0; q < 120; q++) {
            rank += mus[q] > mus[i];
        }
        assert_true(board_read_account(house, &listing, ids[i], &leader));
        assert_int_equal(leader.rank, rank);
        board_read(house, &listing, NULL, leader.index, &page);
        assert_int_equal(page.total, 120);
        assert_int_equal(row.rating.account, ids[i]);
        assert_int_equal(row.rank, rank);
    }
}

static void an_account_stops_qualifying_when_it_has_not_played_for_long(void **state)
{
    struct house *house = *state;
    struct storage_listing later = listing;
    struct storage_listing young = listing;
    struct storage_rating rating = make_rating(add_account(house, "ada", STORAGE_PLAYER), 28.0);
    const int64_t until_ms =
        rating_on_leaderboard_until_ms(rating.games, rating.sigma, rating.rated_ms);

    save_rating(house, &rating);
    later.now_ms = until_ms - 1;
    assert_board(house, &later, "ada ");
    later.now_ms = young.now_ms = until_ms;
    young.is_young = true;
    assert_board(house, &later, "");
    assert_board(house, &young, "ada ");
    rating.rated_ms = until_ms;
    save_rating(house, &rating);
    assert_board(house, &later, "ada ");
    assert_board(house, &young, "");
}

static void boards_of_a_month_and_a_week_list_who_played_in_them(void **state)
{
    struct house *house = *state;
    struct storage_listing week = listing;
    struct storage_listing month = listing;
    struct storage_leader own;
    struct storage_rating rating = make_rating(add_account(house, "ada", STORAGE_PLAYER), 28.0);

    rating.rated_ms = NOW_MS - 6 * DAY_MS;
    add_game(house, rating.account, 4, rating.rated_ms);
    save_rating(house, &rating);
    (void)add_rated_account(house, "bob", 27.0);
    week.board.span = STORAGE_SPAN_WEEK;
    month.board.span = STORAGE_SPAN_MONTH;
    assert_board(house, &week, "ada bob ");
    week.now_ms = NOW_MS + DAY_MS - 1000;
    assert_board(house, &week, "ada bob ");
    week.now_ms = month.now_ms = NOW_MS + DAY_MS + 1000;
    assert_board(house, &week, "bob ");
    assert_board(house, &month, "ada bob ");
    assert_false(board_read_account(house, &week, rating.account, &own));
    assert_true(board_read_account(house, &month, rating.account, &own));
    assert_int_equal(own.rank, 1);
    week.board.players = month.board.players = 4;
    assert_board(house, &week, "");
    assert_board(house, &month, "ada ");
}

static void a_board_of_a_number_of_players_lists_who_played_so(void **state)
{
    struct house *house = *state;
    struct storage_listing fours = listing;
    struct storage_leader own;
    const int64_t ada = add_rated_account(house, "ada", 28.0);
    const int64_t bob = add_rated_account(house, "bob", 27.0);

    fours.board.players = 4;
    assert_board(house, &fours, "");
    add_game(house, ada, 3, NOW_MS);
    add_game(house, bob, 4, NOW_MS - 100 * DAY_MS);
    assert_board(house, &fours, "bob ");
    assert_false(board_read_account(house, &fours, ada, &own));
    assert_true(board_read_account(house, &fours, bob, &own));
    assert_int_equal(own.rank, 1);
    assert_int_equal(own.tally.games, 1);
    add_game(house, ada, 4, NOW_MS);
    assert_board(house, &fours, "ada bob ");
}

static void whoever_has_enough_games_in_a_season_stays_on_its_board(void **state)
{
    struct house *house = *state;
    struct storage_listing season = listing;
    const int64_t ada = add_rated_account(house, "ada", 28.0);
    struct storage_rating rating = make_rating(ada, 26.0);

    season.board.span = SEASON;
    assert_board(house, &season, "");
    rating.season = SEASON;
    rating.games = RATING_SEASON_GAMES - 1;
    assert_int_equal(storage_rating_save(house->storage, &rating), STORAGE_OK);
    assert_board(house, &season, "");
    rating.games++;
    assert_int_equal(storage_rating_save(house->storage, &rating), STORAGE_OK);
    boards_update_account(house, ada, "whist");
    season.now_ms = NOW_MS + 3650 * DAY_MS;
    assert_board(house, &season, "ada ");
    assert_board(house, &listing, "ada ");
}

static void an_account_is_taken_off_the_boards_of_one_game_only(void **state)
{
    struct house *house = *state;
    struct storage_listing bridge = listing;
    const int64_t ada = add_rated_account(house, "ada", 28.0);
    struct storage_rating rating = make_rating(ada, 26.0);

    (void)add_rated_account(house, "bob", 27.0);
    (void)snprintf(rating.game, sizeof rating.game, "bridge");
    save_rating(house, &rating);
    bridge.board.game = "bridge";
    assert_board(house, &listing, "ada bob ");
    assert_board(house, &bridge, "ada ");
    assert_int_equal(storage_ratings_delete(house->storage, ada, "whist"), STORAGE_OK);
    boards_update_account(house, ada, "bridge");
    boards_update_account(house, ada, "whist");
    assert_board(house, &listing, "bob ");
    assert_board(house, &bridge, "ada ");
    boards_update_account(house, ada, NULL);
    assert_board(house, &bridge, "ada ");
}

static void a_board_among_some_accounts_ranks_only_these(void **state)
{
    struct house *house = *state;
    struct storage_leader rows[4];
    struct board_page page = {.rows = rows, .capacity = 4};
    const int64_t ada = add_rated_account(house, "ada", 26.0);
    const int64_t bob = add_rated_account(house, "bob", 30.0);
    int64_t accounts[] = {add_rated_account(house, "chen", 28.0), ada, 4711};
    struct board_accounts among = {.accounts = accounts, .count = 3};

    board_read(house, &listing, &among, 0, &page);
    assert_int_equal(page.total, 2);
    assert_string_equal(rows[0].name, "chen");
    assert_int_equal(rows[0].rank, 1);
    assert_string_equal(rows[1].name, "ada");
    assert_int_equal(rows[1].rank, 2);
    board_read(house, &listing, &among, 1, &page);
    assert_int_equal(page.total, 2);
    assert_int_equal(page.count, 1);
    assert_string_equal(rows[0].name, "ada");
    among.count = 0;
    board_read(house, &listing, &among, 0, &page);
    assert_int_equal(page.total, 0);
    assert_true(bob > 0);
}

/* Closes the house and opens it again, as a restarted core does. */
static struct house *open_again(void **state)
{
    struct house *house = *state;
    struct storage *storage = house->storage;
    const struct house_config config = house_config_default();

    assert_int_equal(house_commit(house), HOUSE_OK);
    house_free(house);
    house = house_new(&config, storage, NOW_MS);
    assert_non_null(house);
    *state = house;
    return house;
}

static int count_statement(unsigned kind, void *count, void *statement, void *text)
{
    (void)kind;
    (void)statement;
    (void)text;
    ++*(unsigned *)count;
    return 0;
}

static void the_boards_of_all_time_and_of_the_season_are_read_at_the_start(void **state)
{
    struct house *house = *state;
    struct storage_listing of = {.board = {.game = game_at(0)->id}, .now_ms = NOW_MS};
    struct storage_rating rating = make_rating(add_account(house, "ada", STORAGE_PLAYER), 28.0);
    const int32_t seasons[] = {0, rating_season_at(NOW_MS)};
    unsigned count = 0;

    (void)snprintf(rating.game, sizeof rating.game, "%s", game_at(0)->id);
    for (size_t i = 0; i < ARRAY_LEN(seasons); i++) {
        rating.season = seasons[i];
        assert_int_equal(storage_rating_save(house->storage, &rating), STORAGE_OK);
    }
    house = open_again(state);
    sqlite3_trace_v2(house->storage->db, SQLITE_TRACE_STMT, count_statement, &count);
    for (size_t i = 0; i < ARRAY_LEN(seasons); i++) {
        of.board.span = seasons[i];
        assert_false(board_is_empty(house, &of));
    }
    assert_int_equal(count, 0);
}

static void twenty_rows_of_a_board_take_one_statement(void **state)
{
    struct house *house = *state;
    struct storage_leader rows[20];
    struct board_page page = {.rows = rows, .capacity = 20};
    unsigned count = 0;

    for (unsigned i = 0; i < 25; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%u", i);
        (void)add_rated_account(house, name, i);
    }
    assert_false(board_is_empty(house, &listing));
    sqlite3_trace_v2(house->storage->db, SQLITE_TRACE_STMT, count_statement, &count);
    board_read(house, &listing, NULL, 0, &page);
    assert_int_equal(page.count, 20);
    assert_int_equal(count, 1);
}

TEST_GROUP(boards)
{
    const struct CMUnitTest tests[] = {
        BOARD_TEST(a_board_is_ordered_by_mu_and_equals_share_a_rank),
        BOARD_TEST(equal_ratings_share_a_rank_across_pages),
        BOARD_TEST(people_bots_and_accounts_that_do_not_qualify_have_boards_of_their_own),
        BOARD_TEST(an_account_on_hold_is_listed_once_it_is_released),
        BOARD_TEST(an_accounts_row_is_found_whether_it_is_listed_or_not),
        BOARD_TEST(ranks_and_pages_agree_with_a_plain_count),
        BOARD_TEST(an_account_stops_qualifying_when_it_has_not_played_for_long),
        BOARD_TEST(boards_of_a_month_and_a_week_list_who_played_in_them),
        BOARD_TEST(a_board_of_a_number_of_players_lists_who_played_so),
        BOARD_TEST(whoever_has_enough_games_in_a_season_stays_on_its_board),
        BOARD_TEST(an_account_is_taken_off_the_boards_of_one_game_only),
        BOARD_TEST(a_board_among_some_accounts_ranks_only_these),
        BOARD_TEST(the_boards_of_all_time_and_of_the_season_are_read_at_the_start),
        BOARD_TEST(twenty_rows_of_a_board_take_one_statement),
    };

    return cmocka_run_group_tests_name("boards", tests, NULL, NULL);
}
