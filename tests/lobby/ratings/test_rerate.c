#include "lobby/house/house_state.h"
#include "lobby/ratings/ratings.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"
#include "storage/sql/sql.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two houses play the same games, but the second house leaves a few out. When these games are
 * declared void in the first house, both houses must have the same ratings and leaderboards. */

#define PLAYERS 9
#define BEGIN_MS INT64_C(1790000000000) /* September 2026: the games span two seasons */
#define STEP_MS (7 * INT64_C(3600000))

struct played_house {
    struct house *house;
    struct table *table;
    int64_t accounts[PLAYERS]; /* the last account is a bot's */
    int64_t games[400];
    int64_t now_ms;
};

static void played_house_init(struct played_house *played_house)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;
    const struct house_config config = house_config_default();

    assert_int_equal(storage_open(STORAGE_IN_MEMORY, &storage, why), STORAGE_OK);
    played_house->house = house_new(&config, storage, BEGIN_MS);
    assert_non_null(played_house->house);
    played_house->table = calloc(1, sizeof(*played_house->table));
    assert_non_null(played_house->table);
    played_house->table->game = game_at(0);
    for (int i = 0; i < PLAYERS; i++) {
        struct storage_account account = {.kind = i == PLAYERS - 1 ? STORAGE_BOT : STORAGE_PLAYER,
                                          .settings = "{}"};
        (void)snprintf(account.name, sizeof(account.name), "player%d", i);
        (void)snprintf(account.skeleton, sizeof(account.skeleton), "player%d", i);
        assert_int_equal(storage_account_add(storage, &account, &played_house->accounts[i]),
                         STORAGE_OK);
    }
}

static void played_house_clear(struct played_house *played_house)
{
    struct storage *storage = played_house->house->storage;

    house_free(played_house->house);
    storage_close(storage);
    free(played_house->table);
}

/* Seats the players of a game. The game's number alone decides who sits, wins and leaves. */
static void played_house_seat_players(struct played_house *played_house, int game_number,
                                      struct game_outcome *outcome)
{
    struct table *table = played_house->table;
    uint32_t random = (uint32_t)game_number * 2654435761u + 12345u;

    table->config.players = (uint8_t)(2 + game_number % 3);
    table->row.players = table->config.players;
    table->row.state = STORAGE_TABLE_PLAYING;
    table->has_game = true;
    memset(table->plays, 0, sizeof(table->plays));
    *outcome = (struct game_outcome){.winners = 1};
    for (int seat = 0; seat < table->config.players; seat++) {
        random = random * 1664525u + 1013904223u;
        /* so that only few players meet repeatedly within a day */
        int who = game_number % 5 == 0 && seat == 2
                      ? PLAYERS - 1
                      : (game_number / 3 + seat * (1 + game_number / 40 % 2)) % (PLAYERS - 1);
        struct seat_play *play = &table->plays[seat];
        play->starter.account = played_house->accounts[who];
        play->starter.holder = who == PLAYERS - 1 ? STORAGE_SEAT_BOT : STORAGE_SEAT_PLAYER;
        (void)snprintf(play->starter.name, sizeof(play->starter.name), "player%d", who);
        play->stat_hits = random >> 28;
        play->stat_chances = 16;
        play->has_left = seat > 0 && random >> 20 % 16 == 0;
        outcome->ranks[seat] = (uint8_t)(seat + 1);
    }
}

static void played_house_play_game(struct played_house *played_house, int game_number)
{
    struct house *house = played_house->house;
    struct table *table = played_house->table;
    struct storage *storage = house->storage;
    struct game_outcome outcome;
    struct storage_score scores[SEATS_MAX];

    played_house_seat_players(played_house, game_number, &outcome);
    struct storage_game game = {.table = 1, .players = table->config.players, .is_rated = true};
    (void)snprintf(game.game, sizeof(game.game), "%s", table->game->id);
    (void)snprintf(game.options, sizeof(game.options), "{}");
    for (int seat = 0; seat < table->config.players; seat++) {
        game.seats[seat] = table->plays[seat].starter;
        scores[seat] = (struct storage_score){
            .seat = (uint8_t)seat, .who = table->plays[seat].starter, .rank = outcome.ranks[seat]};
    }
    house->now_ms = BEGIN_MS + game_number * STEP_MS;
    played_house->now_ms = house->now_ms;
    assert_int_equal(storage_game_start(storage, &game, &played_house->games[game_number]),
                     STORAGE_OK);
    table->row.game_id = played_house->games[game_number];
    table_rate_game(house, table, &outcome);
    const struct storage_finish finish = {.game = played_house->games[game_number],
                                          .state = STORAGE_GAME_FINISHED,
                                          .finished_ms = house->now_ms,
                                          .is_rated = true,
                                          .scores = scores,
                                          .score_count = table->config.players};
    assert_int_equal(storage_game_finish(storage, &finish), STORAGE_OK);
    assert_false(house->is_failed);
}

static void played_house_add_table(struct played_house *played_house)
{
    struct storage_table row = {.players = 4, .options = "{}", .host_name = "player0"};
    int64_t id = 0;

    (void)snprintf(row.game, sizeof(row.game), "%s", played_house->table->game->id);
    assert_int_equal(storage_table_add(played_house->house->storage, &row, &id), STORAGE_OK);
    assert_int_equal(id, 1);
}

static void assert_close(double actual, double expected)
{
    if (!(fabs(actual - expected) <= 1e-9)) {
        print_error("%.17g is not %.17g\n", actual, expected);
        fail();
    }
}

static void assert_same_rating(const struct storage_rating *actual,
                               const struct storage_rating *expected)
{
    assert_close(actual->mu, expected->mu);
    assert_close(actual->sigma, expected->sigma);
    assert_int_equal(actual->rated_ms, expected->rated_ms);
    assert_int_equal(actual->games, expected->games);
    assert_close(actual->wins, expected->wins);
    assert_close(actual->place_sum, expected->place_sum);
    assert_int_equal(actual->stat_hits, expected->stat_hits);
    assert_int_equal(actual->stat_chances, expected->stat_chances);
    assert_int_equal(actual->finished, expected->finished);
    assert_int_equal(actual->left, expected->left);
    assert_int_equal(actual->streak, expected->streak);
    assert_close(actual->best_mu, expected->best_mu);
    assert_int_equal(actual->best_ms, expected->best_ms);
}

static void assert_same_leaderboard(struct played_house *actual, struct played_house *expected,
                                    const struct storage_board *board, bool lists_unqualified)
{
    struct storage_leader rows[2][PLAYERS];
    struct board_page page = {.rows = rows[0], .capacity = PLAYERS};
    struct board_page other = {.rows = rows[1], .capacity = PLAYERS};
    const struct storage_listing listing = {
        .board = *board, .is_young = lists_unqualified, .now_ms = expected->now_ms};

    board_read(actual->house, &listing, NULL, 0, &page);
    board_read(expected->house, &listing, NULL, 0, &other);
    assert_int_equal(page.total, other.total);
    assert_int_equal(page.count, other.count);
    for (size_t i = 0; i < page.count; i++) {
        assert_string_equal(rows[0][i].name, rows[1][i].name);
        assert_same_rating(&rows[0][i].rating, &rows[1][i].rating);
        assert_int_equal(rows[0][i].rank, rows[1][i].rank);
        assert_int_equal(rows[0][i].tally.games, rows[1][i].tally.games);
        assert_close(rows[0][i].tally.wins, rows[1][i].tally.wins);
        assert_close(rows[0][i].change_week_mu, rows[1][i].change_week_mu);
    }
}

/* Reads a board of all time and one of each season, so that the house keeps them in memory from now
 * on. Only the house of fewer games reads its boards first when they are compared. */
static void load_leaderboards(struct played_house *played_house)
{
    struct storage_listing listing = {.board = {.game = game_at(0)->id}};
    static const int32_t spans[] = {STORAGE_SPAN_ALL, 20263, 20264};

    for (size_t i = 0; i < ARRAY_LEN(spans); i++) {
        listing.board.span = spans[i];
        (void)board_is_empty(played_house->house, &listing);
    }
}

static void assert_played_houses_agree(struct played_house *actual, struct played_house *expected)
{
    struct storage_board board = {.game = game_at(0)->id};
    static const int32_t spans[] = {
        STORAGE_SPAN_ALL, STORAGE_SPAN_MONTH, STORAGE_SPAN_WEEK, 20263, 20264, 20271};

    for (int i = 0; i < PLAYERS; i++) {
        struct storage_rating rating = {0};
        struct storage_rating other = {0};
        assert_int_equal(storage_rating_read(actual->house->storage, actual->accounts[i],
                                             board.game, 0, &rating),
                         storage_rating_read(expected->house->storage, expected->accounts[i],
                                             board.game, 0, &other));
        assert_same_rating(&rating, &other);
    }
    for (size_t i = 0; i < ARRAY_LEN(spans); i++) {
        for (int players = 0; players < 5; players += players == 0 ? 2 : 1) {
            board.span = spans[i];
            board.players = (uint8_t)players;
            assert_same_leaderboard(actual, expected, &board, false);
            assert_same_leaderboard(actual, expected, &board, true);
        }
    }
}

static bool is_in_list(int game_number, const int *games, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (games[i] == game_number) {
            return true;
        }
    }
    return false;
}

/* Plays all games in one house; in the other house, plays all games except those in `left_out`. */
static void play_with_and_without_left_out_games(struct played_house *whole,
                                                 struct played_house *other, int game_count,
                                                 const int *left_out, size_t left_out_count)
{
    *whole = *other = (struct played_house){0};
    played_house_init(whole);
    played_house_init(other);
    played_house_add_table(whole);
    played_house_add_table(other);
    for (int game_number = 0; game_number < game_count; game_number++) {
        played_house_play_game(whole, game_number);
        load_leaderboards(whole);
        if (!is_in_list(game_number, left_out, left_out_count)) {
            played_house_play_game(other, game_number);
        }
    }
}

static void tick_once(struct played_house *played_house)
{
    played_house->house->now_ms = house_next_tick_ms(played_house->house);
    assert_int_equal(house_tick(played_house->house, played_house->house->now_ms), HOUSE_OK);
    assert_int_equal(house_commit(played_house->house), HOUSE_OK);
}

static void wait_for_re_rating(struct played_house *played_house)
{
    for (int i = 0; i < 1000 && rerate_is_in_progress(played_house->house); i++) {
        tick_once(played_house);
    }
    assert_false(rerate_is_in_progress(played_house->house));
}

static void voiding_a_game_removes_its_effects_in_the_same_transaction(void **state)
{
    struct played_house whole, other;
    static const int left_out[] = {25, 30, 4};

    (void)state;
    play_with_and_without_left_out_games(&whole, &other, 40, left_out, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(rerate_declare_game_void(whole.house, whole.games[left_out[i]]));
        assert_false(rerate_is_in_progress(whole.house));
        assert_false(rerate_declare_game_void(whole.house, whole.games[left_out[i]]));
    }
    assert_false(rerate_declare_game_void(whole.house, 4711));
    assert_false(whole.house->is_failed);
    assert_played_houses_agree(&whole, &other);
    played_house_clear(&whole);
    played_house_clear(&other);
}

static void re_rating_takes_many_ticks_and_includes_games_played_meanwhile(void **state)
{
    struct played_house whole, other;
    static const int left_out[] = {3, 350, 17};

    (void)state;
    play_with_and_without_left_out_games(&whole, &other, 360, left_out, 3);
    assert_true(rerate_declare_game_void(whole.house, whole.games[3]));
    assert_true(rerate_is_in_progress(whole.house));
    assert_true(rerate_declare_game_void(whole.house, whole.games[350]));
    assert_true(rerate_declare_game_void(whole.house, whole.games[17]));
    for (int game_number = 360; game_number < 380; game_number++) {
        played_house_play_game(&whole, game_number);
        played_house_play_game(&other, game_number);
        assert_int_equal(house_tick(whole.house, whole.house->now_ms), HOUSE_OK);
    }
    wait_for_re_rating(&whole);
    assert_played_houses_agree(&whole, &other);
    played_house_clear(&whole);
    played_house_clear(&other);
}

/* Closes the house and opens it again, as a restarted core does. */
static void played_house_restart(struct played_house *played_house)
{
    struct storage *storage = played_house->house->storage;
    const struct house_config config = house_config_default();
    const int64_t now_ms = played_house->house->now_ms;

    assert_int_equal(house_commit(played_house->house), HOUSE_OK);
    house_free(played_house->house);
    played_house->house = house_new(&config, storage, now_ms);
    assert_non_null(played_house->house);
}

static void a_restarted_core_re_rates_to_the_same_ratings(void **state)
{
    struct played_house whole, other;
    static const int left_out[] = {0, 17};
    int ticks = 0;

    (void)state;
    play_with_and_without_left_out_games(&whole, &other, 360, left_out, 2);
    assert_true(rerate_declare_game_void(whole.house, whole.games[0]));
    assert_true(rerate_declare_game_void(whole.house, whole.games[17]));
    /* restarts after one more tick each time, so that every phase is cut off, but for the last */
    for (int stop = 1; rerate_is_in_progress(whole.house); stop++) {
        played_house_restart(&whole);
        for (int i = 0; i < stop && rerate_is_in_progress(whole.house); i++) {
            tick_once(&whole);
            ticks++;
        }
    }
    assert_true(ticks > 10);
    assert_played_houses_agree(&whole, &other);
    played_house_clear(&whole);
    played_house_clear(&other);
}

TEST_GROUP(rerate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(voiding_a_game_removes_its_effects_in_the_same_transaction),
        cmocka_unit_test(re_rating_takes_many_ticks_and_includes_games_played_meanwhile),
        cmocka_unit_test(a_restarted_core_re_rates_to_the_same_ratings),
    };

    return cmocka_run_group_tests_name("rerate", tests, NULL, NULL);
}
