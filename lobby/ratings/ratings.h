#pragma once

#include "games/game.h"
#include "games/macros.h"
#include "lobby/house/house_state.h"
#include "lobby/protocol/protocol.h"
#include "storage/archive/archive.h"
#include "storage/ratings/ratings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* The job of re-rating in work. It is in memory alone: a house that starts begins the job again,
 * and rates the games again in the same way. */
struct rerate {
    int64_t due_ms;                 /* time of the next round of re-rating */
    int64_t void_id;                /* the void game; 0: no job has begun */
    char game[STORAGE_WORD_SIZE];   /* the kind of game */
    struct storage_ended_game done; /* the last game that was rated again */
    bool is_past_games;             /* all games are rated again, and the accounts follow */
    bool *affected; /* by account: whether its ratings change and were not recomputed yet */
    size_t count, cap;
};

/* Yesterday's best game: the rated game with the strongest players. */
struct best_game {
    int64_t day;  /* the day on which it was last looked for; 0: never */
    int64_t game; /* its number; 0: none */
};

struct ratings {
    LIST_HEAD(standings_list, standings) standings; /* the leaderboards that somebody asked for */
    struct best_game best;
    struct rerate rerate;
};

PART_STATE(ratings_of, struct ratings, ratings);

/* Makes the leader row (PROTOCOL.md) of an account, with its rating at `at_ms` (Unix time). */
struct leader_row leader_row_make(const struct storage_leader *leader, int64_t at_ms);

/* Makes the rating that rows show, as of `at_ms` (Unix time). NULL: there is no rating. */
struct row_rating rating_row_make(const struct storage_rating *rating, int64_t at_ms);

/* Those who show ratings listen for their recomputation. */
struct rating_listener {
    void (*rerated)(struct house *house); /* called when any rating may have changed */
};

extern const struct rating_listener account_sync_rating_listener;

/*
 * Ratings, one per player and game: the Bradley–Terry full-pair model of R. Weng and C.-J. Lin,
 * "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 1, averaged over
 * opponents. Pure functions: nothing is read, kept or allocated.
 */

struct rating {
    double mu;
    double sigma;
};

struct rating_model {
    double beta;
    double tau;   /* uncertainty added before every game */
    double kappa; /* the smallest factor by which one game may multiply sigma² */
    bool is_sum;  /* true: adds up the effects of all opponents, as the paper does; false: takes
                     their mean */
};

/* The house's model: beta 25/3, tau 25/300, kappa 10⁻⁴, mean over opponents. */
struct rating_model rating_model_default(void);

/* The rating of a newcomer: mu 25, sigma 25/3. */
struct rating rating_new(void);

struct rating_player {
    struct rating before;
    uint8_t rank; /* 1 is best; tied players share a rank */
    bool is_bot;  /* a bot makes all moves of this player */
};

/* of[i][q] is how much the result against player q counts for player i, 0 to 1. */
struct rating_weights {
    double of[SEATS_MAX][SEATS_MAX];
};

struct rating_update {
    struct rating after;
    double by[SEATS_MAX]; /* how far each opponent moved mu; their sum is the change */
};

/*
 * Rates one game of `count` players, at most SEATS_MAX. A person is rated against the other
 * persons, a bot against all others. Without opponents, a rating does not change.
 * Without `weights` (NULL) all results count fully.
 */
void rating_update(const struct rating_model *model, const struct rating_player *players,
                   size_t count, const struct rating_weights *weights,
                   struct rating_update *updates);

/* Returns how far mu of `player` (an index) would move if the player came `place`-th among their
 * opponents, without ties (1 is best; the last is opponents + 1). This is the mean over all orders
 * in which the opponents can finish; `weights` are those of rating_update. Returns 0 without
 * opponents. */
double rating_predict_change(const struct rating_model *model, const struct rating_player *players,
                             size_t player_count, size_t player, size_t place,
                             const struct rating_weights *weights);

/* Returns the number of opponents of `player` (an index): all other persons for a person, all other
 * players for a bot. */
size_t rating_count_opponents(const struct rating_player *players, size_t player_count,
                              size_t player);

/* Returns the rating after a time without games. sigma² grows by RATING_IDLE_VARIANCE_PER_DAY up to
 * that of a newcomer; mu does not change. A negative time counts as 0. */
#define RATING_IDLE_VARIANCE_PER_DAY (0.207 * 0.207)
struct rating rating_after_idle(struct rating rating, int64_t idle_ms);

/* Returns a stored rating as it is at `at_ms` (Unix time), after the time without games. */
struct rating rating_at(const struct storage_rating *rating, int64_t at_ms);

/* The numbers that people see: 1500 + 40 (mu − 25) points, ± 40 sigma. */
double rating_points(double mu);
double rating_deviation(double sigma);

/* Converts a difference of mu to points. */
double rating_change_in_points(double change_mu);

/* Returns true for ratings shown with "?": fewer than 20 rated games, or sigma above 6.1. */
#define RATING_SETTLED_GAMES 20
bool rating_is_provisional(uint32_t games, double sigma);

/* Returns when a rating leaves the leaderboard if its owner plays no more; 0 for a rating that is
 * not listed even right after its last game. The leaderboard lists ratings with at least 30 rated
 * games, sigma at most 5.6, and the last game within 30 days. */
#define RATING_LISTED_GAMES 30
#define RATING_LISTED_SIGMA 5.6
#define RATING_LISTED_IDLE_MS (30 * DAY_MS)
int64_t rating_on_leaderboard_until_ms(uint32_t games, double sigma, int64_t rated_ms);

/* The rated games that an account needs to be on a season's leaderboard. */
#define RATING_SEASON_GAMES 10

/* Seasons are calendar quarters (UTC), numbered year * 10 + quarter: 20264 is the last one of 2026.
 * Times before 1970 count as the first season of 1970. */
int32_t rating_season_at(int64_t at_ms);
int64_t rating_season_start_ms(int32_t season);

/* The rating at the beginning of a season: mu moves halfway back to a newcomer's, and sigma is at
 * least 5.56. */
struct rating rating_at_season_start(struct rating all_time);

/* Returns how much a game counts between two players who have already finished `earlier_games`
 * rated games of the same kind with each other within RATING_REPEAT_MS: 1, ½, ¼, then 0. */
#define RATING_REPEAT_MS DAY_MS
double rating_weight_of_repeated_game(uint32_t earlier_games);

/* Returns how much an opponent who left counts for those who played on: the part of the game's
 * moves that were made before (`played`, 0 to 1); nothing below a third. */
double rating_weight_of_leaver(double played);

/* How much an opponent counts who may be the same person or a helper: one with an address or a key
 * of the player's, or, for an older account, an account in its first day. */
#define RATING_WEIGHT_OF_DOUBT 0.25
#define RATING_NEW_ACCOUNT_MS DAY_MS

/* How the game ended for a player who was at the table when it began. */
struct rating_finish {
    uint8_t rank; /* final rank of the player's seat, even if a bot or somebody else held the seat
                     by then */
    bool left_for_good; /* the player left before the end */
    uint32_t left_step; /* number of the next move at the time when the player left */
};

/* Computes ranks for rating. Players who left rank below all who finished, and those who left later
 * above those who left earlier. Tied players share a rank (1, 2, 2, 4). */
void rating_rank_finishes(const struct rating_finish *finishes, size_t count, uint8_t *ranks);

/* The effect of one game on the ratings of its players. It is computed when a game has just ended,
 * and again when games are re-rated. */

struct rated_game {
    size_t count; /* number of changes, at most SEATS_MAX */
    struct storage_rating_change changes[SEATS_MAX];
    /* by[i][j]: how far the player of changes[j] moved the mu of changes[i]: of all time, and of
     * the season */
    double by[SEATS_MAX][SEATS_MAX];
    double season_by[SEATS_MAX][SEATS_MAX];
    struct rating_weights weights; /* by the indexes of `changes` */
};

/* Fills `weights` from the changes and the players' earlier games. Who left counts for those who
 * played on as long by the part of the game that they played; a doubtful opponent counts a quarter;
 * and games of the same two players within a day count less and less. */
void rated_game_read_weights(struct house *house, struct rated_game *game);

/* Returns true if the player of changes[winner] beat all other people, and each of them left in the
 * first third of the game or is doubtful: several such games a day look like farming. */
bool rated_game_is_doubtful_win(const struct rated_game *game, size_t winner);

/* Fills in the players with their ratings before the game: of all time, or of the season. */
void rated_game_fill_players(const struct rated_game *game, bool is_season,
                             struct rating_player *players);

/* Computes the players' all-time and season ratings after a game from their ratings before it, the
 * ranks, the weights, and who is a bot. Also computes how much each opponent contributed; the
 * changes have it as a list in the form of the `result` message. */
void rated_game_compute_rating_changes(struct rated_game *game);

/* Adds one game's change to a rating, either all-time or of a season, and counts the game. */
void rated_game_apply_change(const struct storage_rating_change *change, bool is_season,
                             struct storage_rating *rating);

/* Adds refunded rating points (as a difference of mu) to a rating, and updates the best value that
 * the rating has had. */
void rated_game_add_refund(struct storage_rating *rating, double mu, int64_t at_ms);

/* rated_game_new_rating returns the all-time rating with which an account begins to play a game;
 * rated_game_new_season_rating returns its first rating of a season, computed from the all-time
 * rating. */
struct storage_rating rated_game_new_rating(int64_t account, const char *game);
struct storage_rating rated_game_new_season_rating(const struct storage_rating *all_time,
                                                   int32_t season);

/*
 * Re-rating. A void game has no effect, so all later games of its players, and of those they have
 * played since, are rated again in the order in which they ended. A few games are re-rated at once,
 * in the transaction that declares the game void. Many are re-rated in later rounds of the event
 * loop: first the changes of all games, then the ratings of all accounts, as the sum of their
 * changes. Until all games are done, everybody keeps their old rating. A restarted core begins
 * again: it comes to the same ratings.
 */

/* Declares a finished game void and undoes its effect on ratings, tallies and lists. Returns false,
 * with nothing changed, when the game is not finished or already void. */
bool rerate_declare_game_void(struct house *house, int64_t game_id);

/* True while re-rating is in progress. */
bool rerate_is_in_progress(struct house *house);

/* Recomputes an account's ratings in one game from all rating changes stored for the account. Call
 * it after another account was merged into this one, but not while re-rating is in progress. */
void rerate_account(struct house *house, int64_t account, const char *game);

/* Call it before a game of the account is rated: gives it the ratings that re-rating has computed
 * for it, if these have not taken effect yet. */
void rerate_apply_computed_ratings(struct house *house, int64_t account, const char *game);

/*
 * The leaderboards. Their order is in memory: for each game, season (or all time) and number of
 * players (or any) that somebody asked for, a list of the rated accounts by mu. Those of all time
 * and of the present season, for any number of players, are read at the start. The boards of
 * people and bots, of a month or a week, and of those who do not qualify yet, select from these
 * lists when they are read. What a row shows is read from the storage.
 */

/* Reads the boards that are asked for most, so that nobody at a table waits for it later: for
 * 100,000 accounts it takes about a tenth of a second a game. */
void boards_load(struct house *house);

/* Forgets all boards. */
void boards_forget(struct house *house);

/* Puts the account in its place again on the boards of a game, or of all games (NULL). Call it when
 * the account's ratings or tallies have changed, when it is closed, held or released, or when it
 * becomes a program's or a person's. */
void boards_update_account(struct house *house, int64_t account, const char *game);

/* Returns whether nobody is on the board. */
bool board_is_empty(struct house *house, const struct storage_listing *listing);

struct board_page {
    struct storage_leader *rows; /* the caller's array with room for `capacity` rows */
    size_t capacity;
    size_t count;   /* number of rows filled in */
    uint32_t total; /* number of rows of the whole board */
};

/* A list of accounts. */
struct board_accounts {
    int64_t *accounts;
    size_t count;
};

/* Fills the page with the board's rows, beginning with the row at `offset`. The highest mu comes
 * first; rows of equal mu share a rank and are ordered by account. Unless `among` is NULL, only its
 * accounts are listed and ranked; they are sorted. */
void board_read(struct house *house, const struct storage_listing *listing,
                struct board_accounts *among, uint32_t offset, struct board_page *page);

/* Reads the row of one account, whether it is on the board or not; false when the account has no
 * rated game that the board counts. */
bool board_read_account(struct house *house, const struct storage_listing *listing, int64_t account,
                        struct storage_leader *leader);
