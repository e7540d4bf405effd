#include "games/game.h"
#include "lobby/house/house_state.h"
#include "lobby/house/parts.h"
#include "lobby/ratings/ratings.h"
#include "storage/accounts/accounts.h"
#include "storage/ratings/ratings.h"
#include "storage/sql/sql.h"
#include "tests/load/load.h"
#include "tests/times.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Measures how long a large house takes to store the result of a rated game: the ratings,
 * statistics and leaderboards of its four players, including the commit. Half of the players have
 * played many games. Also measures how long the house takes to store when a player was last seen.
 * FILE is made by load_leaders. The simulated games are not removed from FILE.
 *
 * load_rated FILE GAMES
 */

#define NOW_MS INT64_C(1795000000000) /* the same time as in leaders.c */
#define PLAYERS 4
#define GAMES_MAX 10000

struct cost {
    double ms;
    int pages_read, pages_written;
};

static int read_page_counter(struct storage *storage, int counter)
{
    int now = 0;
    int highest = 0;

    fail_unless(sqlite3_db_status(storage->db, counter, &now, &highest, 0) == SQLITE_OK,
                "the number of pages is not known");
    return now;
}

/* Draws a player. In half of the draws the player is one of the tenth of players who play most. */
static int64_t draw_random_player(int64_t player_count)
{
    return 1 + random() % (random() % 2 == 0 ? player_count / 10 : player_count);
}

/* Draws a player who has a rating. Reads the player's all-time rating and season rating. */
static void draw_random_rated_player(struct house *house, int64_t player_count,
                                     struct storage_rating *all_time, struct storage_rating *season)
{
    const int32_t number = rating_season_at(NOW_MS);
    enum storage_result result = STORAGE_NOT_FOUND;

    while (result == STORAGE_NOT_FOUND) {
        result = storage_rating_read(house->storage, draw_random_player(player_count),
                                     game_at(0)->id, 0, all_time);
    }
    fail_unless(result == STORAGE_OK, "the ratings cannot be read");
    result = storage_rating_read(house->storage, all_time->account, game_at(0)->id, number, season);
    if (result == STORAGE_NOT_FOUND) {
        *season = rated_game_new_season_rating(all_time, number);
    }
}

/* Computes and stores the rating changes of a rated game among four random players. The changes are
 * stored under the number of an existing game, as if four more players had played it. */
static void store_random_rated_game(struct house *house, int64_t player_count, int64_t game_id)
{
    struct rated_game game = {.count = PLAYERS};
    struct storage_rating all_time[PLAYERS];
    struct storage_rating season[PLAYERS];

    for (uint8_t i = 0; i < PLAYERS; i++) {
        struct storage_rating_change *change = &game.changes[i];
        draw_random_rated_player(house, player_count, &all_time[i], &season[i]);
        *change = (struct storage_rating_change){.game_id = game_id,
                                                 .seat = (uint8_t)(100 + i),
                                                 .account = all_time[i].account,
                                                 .mu_before = all_time[i].mu,
                                                 .sigma_before = all_time[i].sigma,
                                                 .season = rating_season_at(NOW_MS),
                                                 .season_mu_before = season[i].mu,
                                                 .season_sigma_before = season[i].sigma,
                                                 .players = PLAYERS,
                                                 .rank = (uint8_t)(i + 1),
                                                 .win = i == 0 ? 1.0 : 0.0,
                                                 .at_ms = NOW_MS};
        (void)snprintf(change->game, sizeof change->game, "%s", game_at(0)->id);
    }
    for (size_t i = 0; i < PLAYERS; i++) {
        for (size_t q = 0; q < PLAYERS; q++) {
            game.weights.of[i][q] = 1.0;
        }
    }
    rated_game_compute_rating_changes(&game);
    for (uint8_t i = 0; i < PLAYERS; i++) {
        const struct storage_rating_change *change = &game.changes[i];
        rated_game_apply_change(change, false, &all_time[i]);
        rated_game_apply_change(change, true, &season[i]);
        fail_unless(storage_rating_change_add(house->storage, change) == STORAGE_OK &&
                        storage_rating_save(house->storage, &all_time[i]) == STORAGE_OK &&
                        storage_rating_save(house->storage, &season[i]) == STORAGE_OK &&
                        storage_tallies_add_rating_change(house->storage, change, 1) == STORAGE_OK,
                    "a change could not be stored");
        boards_update_account(house, change->account, change->game);
    }
}

static struct cost store_game_and_measure_cost(struct house *house, int64_t player_count,
                                               int64_t game_id)
{
    const int read = read_page_counter(house->storage, SQLITE_DBSTATUS_CACHE_MISS);
    const int written = read_page_counter(house->storage, SQLITE_DBSTATUS_CACHE_WRITE);
    const double from_ms = times_now_ms();

    if (game_id != 0) {
        store_random_rated_game(house, player_count, game_id);
    } else {
        fail_unless(storage_account_set_last_seen(house->storage, draw_random_player(player_count),
                                                  NOW_MS + random()) == STORAGE_OK,
                    "the time last seen could not be stored");
    }
    fail_unless(!house->is_failed && storage_commit(house->storage) == STORAGE_OK,
                "the commit failed");
    return (struct cost){
        .ms = times_now_ms() - from_ms,
        .pages_read = read_page_counter(house->storage, SQLITE_DBSTATUS_CACHE_MISS) - read,
        .pages_written = read_page_counter(house->storage, SQLITE_DBSTATUS_CACHE_WRITE) - written,
    };
}

static int compare_costs(const void *left, const void *right)
{
    const struct cost *a = left;
    const struct cost *b = right;

    return (a->ms > b->ms) - (a->ms < b->ms);
}

static void print_costs(const char *caption, struct cost *costs, size_t count)
{
    double read = 0;
    double written = 0;

    qsort(costs, count, sizeof costs[0], compare_costs);
    for (size_t i = 0; i < count; i++) {
        read += costs[i].pages_read;
        written += costs[i].pages_written;
    }
    (void)printf("%-12s pages read %6.1f, written %6.1f; ms: median %.2f, worst %.2f\n", caption,
                 read / (double)count, written / (double)count, costs[count / 2].ms,
                 costs[count - 1].ms);
}

int main(int argc, char **argv)
{
    static struct cost costs[GAMES_MAX];
    struct house house = {.now_ms = NOW_MS};
    char why[STORAGE_WHY_SIZE];
    int64_t player_count = 0;
    int64_t first = 0;

    fail_unless(argc == 3, "usage: load_rated FILE GAMES");
    const size_t count = strtoul(argv[2], NULL, 10);
    fail_unless(count >= 1 && count <= GAMES_MAX, "1 to 10000 games");
    parts_make_states(&house);
    fail_unless(storage_open(argv[1], &house.storage, why) == STORAGE_OK, why);
    fail_unless(sql_read_number(house.storage, "SELECT count(*) FROM accounts WHERE kind = 0",
                                &player_count) == STORAGE_OK &&
                    sql_read_number(house.storage,
                                    "SELECT coalesce(max(game_id), 0) FROM rating_changes"
                                    " WHERE game_id <= 100000 AND seat >= 100",
                                    &first) == STORAGE_OK,
                storage_last_failure(house.storage));
    for (size_t i = 0; i < count; i++) {
        costs[i] = store_game_and_measure_cost(&house, player_count, first + 1 + (int64_t)i);
    }
    print_costs("a rated game", costs, count);
    for (size_t i = 0; i < count; i++) {
        costs[i] = store_game_and_measure_cost(&house, player_count, 0);
    }
    print_costs("being seen", costs, count);
    storage_close(house.storage);
    parts_free_states(&house);
    return EXIT_SUCCESS;
}
