#include "full_house.h"

#include "games/game.h"
#include "lobby/ratings/ratings.h"
#include "storage/ratings/ratings.h"
#include "storage/storage.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAYS 400
#define BOTS 10

struct maker {
    const struct full_house *house;
    sqlite3 *db;
    sqlite3_stmt *game, *score, *change;
    const char *game_id;
    uint64_t random;
    uint32_t
        people; /* number of people's accounts; the numbers of the bots' accounts follow theirs */
    double *strength;
    struct storage_rating *all_time, *season;
    int32_t *
        season_of; /* by account: number of the season in which its rating in `season` was earned */
};

static void exit_unless(bool is_good, const char *failure)
{
    if (!is_good) {
        (void)fprintf(stderr, "full house: %s\n", failure);
        exit(EXIT_FAILURE);
    }
}

static void run_sql(sqlite3 *db, const char *sql)
{
    char *why = NULL;

    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
        exit_unless(false, why);
    }
}

static sqlite3_stmt *prepare_statement(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    exit_unless(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, sqlite3_errmsg(db));
    return statement;
}

static void run_prepared_statement(struct maker *maker, sqlite3_stmt *statement)
{
    exit_unless(sqlite3_step(statement) == SQLITE_DONE, sqlite3_errmsg(maker->db));
    (void)sqlite3_reset(statement);
}

/* Returns a random number from 0 to below 1 (xorshift64*). */
static double draw_random_fraction(struct maker *maker)
{
    maker->random ^= maker->random >> 12;
    maker->random ^= maker->random << 25;
    maker->random ^= maker->random >> 27;
    return (double)((maker->random * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

static void make_accounts(struct maker *maker)
{
    const uint32_t all = maker->people + BOTS;
    sqlite3_stmt *account = prepare_statement(
        maker->db, "INSERT INTO accounts (name, skeleton, kind, role, password_hash,"
                   " settings, created_ms, seen_ms)"
                   " VALUES (?1, ?1, ?2, 0, '', '{}', 0, ?3)");

    for (uint32_t i = 1; i <= all; i++) {
        char name[32];
        const bool is_bot = i > maker->people;
        (void)snprintf(name, sizeof name, "%s%u", is_bot ? "robot" : "p", i);
        (void)sqlite3_bind_text(account, 1, name, -1, SQLITE_TRANSIENT);
        (void)sqlite3_bind_int(account, 2, is_bot);
        (void)sqlite3_bind_int64(account, 3, maker->house->now_ms);
        run_prepared_statement(maker, account);
        maker->strength[i] =
            25.0 + 12.0 * (draw_random_fraction(maker) + draw_random_fraction(maker) - 1.0);
        maker->all_time[i] = rated_game_new_rating(i, maker->game_id);
    }
    (void)sqlite3_finalize(account);
}

static uint32_t choose_random_account(struct maker *maker, bool is_bot)
{
    if (is_bot) {
        return maker->people + 1 + (uint32_t)(draw_random_fraction(maker) * BOTS);
    }
    const bool is_eager = draw_random_fraction(maker) < 0.5;
    return 1 + (uint32_t)(draw_random_fraction(maker) *
                          (is_eager ? maker->people / 10 : maker->people));
}

static bool has_seat(const struct rated_game *game, int64_t account)
{
    for (size_t i = 0; i < game->count; i++) {
        if (game->changes[i].account == account) {
            return true;
        }
    }
    return false;
}

static void seat_random_player(struct maker *maker, struct rated_game *game, bool is_bot,
                               int64_t at_ms)
{
    uint32_t who = choose_random_account(maker, is_bot);

    while (has_seat(game, who)) {
        who = choose_random_account(maker, is_bot);
    }
    const int32_t season = rating_season_at(at_ms);
    if (maker->season_of[who] != season) {
        maker->season_of[who] = season;
        maker->season[who] = rated_game_new_season_rating(&maker->all_time[who], season);
    }
    const struct storage_rating *all = &maker->all_time[who];
    const struct storage_rating *own = &maker->season[who];
    const struct rating before = rating_after_idle((struct rating){all->mu, all->sigma},
                                                   all->rated_ms == 0 ? 0 : at_ms - all->rated_ms);
    const struct rating season_before =
        rating_after_idle((struct rating){own->mu, own->sigma}, at_ms - own->rated_ms);
    struct storage_rating_change *change = &game->changes[game->count];
    *change = (struct storage_rating_change){.seat = (uint8_t)game->count,
                                             .account = who,
                                             .mu_before = before.mu,
                                             .sigma_before = before.sigma,
                                             .season = season,
                                             .season_mu_before = season_before.mu,
                                             .season_sigma_before = season_before.sigma,
                                             .is_bot = is_bot,
                                             .stat_hits = 5,
                                             .stat_chances = 10,
                                             .at_ms = at_ms};
    (void)snprintf(change->game, sizeof change->game, "%s", maker->game_id);
    game->count++;
}

/* Ranks the players by strength and luck; luck is logistic, as in the rating model. */
static void rank_players(struct maker *maker, struct rated_game *game)
{
    double shown[SEATS_MAX];

    for (size_t i = 0; i < game->count; i++) {
        const double luck = draw_random_fraction(maker) * 0.998 + 0.001;
        shown[i] = maker->strength[game->changes[i].account] + 8.0 * log(luck / (1.0 - luck));
    }
    for (size_t i = 0; i < game->count; i++) {
        struct storage_rating_change *change = &game->changes[i];
        change->rank = 1;
        change->players = (uint8_t)game->count;
        for (size_t q = 0; q < game->count; q++) {
            change->rank = (uint8_t)(change->rank + (shown[q] > shown[i]));
        }
        change->win = change->rank == 1 ? 1.0 : 0.0;
    }
}

static void write_game(struct maker *maker, const struct rated_game *game, int64_t at_ms)
{
    (void)sqlite3_bind_int(maker->game, 1, (int)game->count);
    (void)sqlite3_bind_int64(maker->game, 2, at_ms);
    run_prepared_statement(maker, maker->game);
}

static void write_rating_change(struct maker *maker, const struct storage_rating_change *change,
                                int64_t game_id)
{
    sqlite3_stmt *score = maker->score;
    sqlite3_stmt *q = maker->change;
    char name[32];

    (void)snprintf(name, sizeof name, "%s%lld", change->is_bot ? "robot" : "p",
                   (long long)change->account);
    (void)sqlite3_bind_int64(score, 1, game_id);
    (void)sqlite3_bind_int(score, 2, change->seat);
    (void)sqlite3_bind_int(score, 3, change->is_bot);
    (void)sqlite3_bind_int64(score, 4, change->account);
    (void)sqlite3_bind_text(score, 5, name, -1, SQLITE_TRANSIENT);
    (void)sqlite3_bind_int(score, 6, change->rank);
    run_prepared_statement(maker, score);
    (void)sqlite3_bind_int64(q, 1, game_id);
    (void)sqlite3_bind_int(q, 2, change->seat);
    (void)sqlite3_bind_int64(q, 3, change->account);
    (void)sqlite3_bind_double(q, 4, change->mu_before);
    (void)sqlite3_bind_double(q, 5, change->sigma_before);
    (void)sqlite3_bind_double(q, 6, change->mu_after);
    (void)sqlite3_bind_double(q, 7, change->sigma_after);
    (void)sqlite3_bind_int64(q, 8, change->at_ms);
    (void)sqlite3_bind_int(q, 9, change->players);
    (void)sqlite3_bind_int(q, 10, change->rank);
    (void)sqlite3_bind_double(q, 11, change->win);
    (void)sqlite3_bind_int(q, 12, (int)change->stat_hits);
    (void)sqlite3_bind_int(q, 13, (int)change->stat_chances);
    (void)sqlite3_bind_int(q, 14, change->is_bot);
    (void)sqlite3_bind_int(q, 15, change->season);
    (void)sqlite3_bind_double(q, 16, change->season_mu_before);
    (void)sqlite3_bind_double(q, 17, change->season_sigma_before);
    (void)sqlite3_bind_double(q, 18, change->season_mu_after);
    (void)sqlite3_bind_double(q, 19, change->season_sigma_after);
    (void)sqlite3_bind_text(q, 20, change->by, -1, SQLITE_TRANSIENT);
    run_prepared_statement(maker, q);
}

static void make_game(struct maker *maker, int64_t id)
{
    struct rated_game game = {0};
    const int64_t span_ms = DAYS * DAY_MS;
    const int64_t at_ms = maker->house->now_ms - span_ms + span_ms * id / maker->house->games;
    const bool has_bots = draw_random_fraction(maker) < 0.2;
    const size_t players =
        2 + (size_t)(draw_random_fraction(maker) * 3 + draw_random_fraction(maker) * 3);

    for (size_t i = 0; i < players; i++) {
        seat_random_player(maker, &game, has_bots && i > 1 && i + 2 >= players, at_ms);
    }
    rank_players(maker, &game);
    for (size_t i = 0; i < players; i++) {
        for (size_t q = 0; q < players; q++) {
            game.weights.of[i][q] = 1.0;
        }
    }
    rated_game_compute_rating_changes(&game);
    write_game(maker, &game, at_ms);
    for (size_t i = 0; i < game.count; i++) {
        struct storage_rating_change *change = &game.changes[i];
        rated_game_apply_change(change, false, &maker->all_time[change->account]);
        rated_game_apply_change(change, true, &maker->season[change->account]);
        write_rating_change(maker, change, id);
    }
}

static void make_games(struct maker *maker)
{
    char sql[512];

    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO games (table_id, game, players, options, seed, commitment,"
                   " is_rated, state, started_ms, finished_ms) VALUES (1, '%s', ?1, '{}',"
                   " zeroblob(32), zeroblob(32), 1, 1, ?2 - 600000, ?2)",
                   maker->game_id);
    run_sql(maker->db, "INSERT INTO tables (id, game, players, options, clock_s, password_hash,"
                       " host_name, state, created_ms, game_id, conn, request)"
                       " VALUES (1, '', 4, '{}', 30, '', 'p1', 3, 0, 0, 0, 0)");
    maker->game = prepare_statement(maker->db, sql);
    maker->score = prepare_statement(
        maker->db, "INSERT INTO scores (game_id, n, seat, holder, account, name, policy,"
                   " score, rank, is_winner, stat_hits, stat_chances, left_for_good)"
                   " VALUES (?1, ?2, ?2, 1 + ?3, ?4, ?5, '', 50, ?6, ?6 = 1, 5, 10, 0)");
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO rating_changes (game, game_id, seat, account, mu_before,"
                   " sigma_before, mu_after, sigma_after, at_ms, players, rank, win, stat_hits,"
                   " stat_chances, is_bot, season, season_mu_before, season_sigma_before,"
                   " season_mu_after, season_sigma_after, by)"
                   " VALUES ('%s', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                   maker->game_id);
    maker->change = prepare_statement(maker->db, sql);
    for (uint32_t id = 1; id <= maker->house->games; id++) {
        make_game(maker, id);
    }
    (void)sqlite3_finalize(maker->game);
    (void)sqlite3_finalize(maker->score);
    (void)sqlite3_finalize(maker->change);
}

/* Drops the indexes, because making them after all rows is faster. Returns the SQL statements that
 * make them again; the caller frees the text. */
static char *drop_indexes(sqlite3 *db)
{
    sqlite3_stmt *q = prepare_statement(
        db, "SELECT group_concat('DROP INDEX ' || name, ';'), group_concat(sql, ';')"
            " FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
            " AND tbl_name IN ('games', 'scores', 'rating_changes')");

    exit_unless(sqlite3_step(q) == SQLITE_ROW, "there are no indexes");
    char *drops = strdup((const char *)sqlite3_column_text(q, 0));
    char *makes = strdup((const char *)sqlite3_column_text(q, 1));
    exit_unless(drops != NULL && makes != NULL, "out of memory");
    (void)sqlite3_finalize(q);
    run_sql(db, drops);
    free(drops);
    return makes;
}

static void fill_database_file(struct maker *maker, const char *path)
{
    exit_unless(sqlite3_open(path, &maker->db) == SQLITE_OK, "the file cannot be opened");
    run_sql(maker->db, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;"
                       "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;"
                       "PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY; BEGIN");
    char *makes = drop_indexes(maker->db);
    make_accounts(maker);
    make_games(maker);
    run_sql(maker->db, makes);
    free(makes);
    run_sql(
        maker->db,
        "INSERT INTO tallies SELECT account, game, span, players, max(at_ms), count(*), sum(win),"
        " sum(CAST(players - rank AS REAL) / (players - 1)), sum(stat_hits), sum(stat_chances),"
        " count(*), 0 FROM (SELECT *, 0 AS span FROM rating_changes"
        " UNION ALL SELECT *, season FROM rating_changes"
        " UNION ALL SELECT *, -(at_ms / 86400000) FROM rating_changes)"
        " GROUP BY account, game, span, players;"
        "INSERT INTO game_seats (game_id, seat, holder, account, name, policy)"
        " SELECT c.game_id, c.seat, CASE c.is_bot WHEN 1 THEN 3 ELSE 1 END, a.id, a.name, ''"
        " FROM rating_changes c JOIN accounts a ON a.id = c.account;"
        "COMMIT; PRAGMA journal_mode = WAL");
    exit_unless(sqlite3_close(maker->db) == SQLITE_OK, "the file cannot be closed");
}

static void save_ratings(struct maker *maker, const char *path)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;

    exit_unless(storage_open(path, &storage, why) == STORAGE_OK, why);
    for (uint32_t i = 1; i <= maker->people + BOTS; i++) {
        const struct storage_rating *all = &maker->all_time[i];
        if (all->games > 0) {
            exit_unless(storage_rating_save(storage, all) == STORAGE_OK &&
                            storage_rating_save(storage, &maker->season[i]) == STORAGE_OK,
                        "a rating was not saved");
        }
    }
    exit_unless(storage_commit(storage) == STORAGE_OK, "the ratings were not committed");
    storage_close(storage);
}

void full_house_create(const struct full_house *house, const char *path)
{
    char why[STORAGE_WHY_SIZE];
    struct storage *storage = NULL;
    const size_t all = (size_t)house->accounts + BOTS + 1;
    struct maker maker = {
        .house = house,
        .game_id = game_at(0)->id,
        .random = UINT64_C(88172645463325252) + house->seed,
        .people = house->accounts,
        .strength = calloc(all, sizeof(double)),
        .all_time = calloc(all, sizeof(struct storage_rating)),
        .season = calloc(all, sizeof(struct storage_rating)),
        .season_of = calloc(all, sizeof(int32_t)),
    };

    exit_unless(maker.strength != NULL && maker.all_time != NULL && maker.season != NULL &&
                    maker.season_of != NULL,
                "out of memory");
    exit_unless(storage_open(path, &storage, why) == STORAGE_OK, why);
    storage_close(storage);
    fill_database_file(&maker, path);
    save_ratings(&maker, path);
    free(maker.strength);
    free(maker.all_time);
    free(maker.season);
    free(maker.season_of);
}
