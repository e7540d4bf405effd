#pragma once

#include "storage/archive/games.h"
#include "storage/storage.h"

/* Past games: who played them, with whom, how often. */

struct storage_past_game {
    int64_t game_id;
    char game[STORAGE_WORD_SIZE];
    int64_t finished_ms;
    bool is_rated;
    uint8_t own; /* index in `scores` of the account or guest whose games are listed */
    bool has_change;
    double change_mu; /* change of the account's mu by this game, if has_change */
    size_t score_count;
    struct storage_score scores[STORAGE_SCORES_MAX];
};

typedef bool storage_past_game_row(void *context, const struct storage_past_game *played);

/* Lists finished games as storage_past_games_by_account does, but of a guest, who is identified by
 * name alone. */
enum storage_result storage_past_games_by_guest(struct storage *storage, const char *name,
                                                int64_t before_id, size_t max_games,
                                                storage_past_game_row *row,
                                                void *context) MUST_CHECK;

/* Lists an account's finished games whose id is below `before_id` (INT64_MAX: all), newest first,
 * at most `max_games`. */
enum storage_result storage_past_games_by_account(struct storage *storage, int64_t account,
                                                  int64_t before_id, size_t max_games,
                                                  storage_past_game_row *row,
                                                  void *context) MUST_CHECK;

typedef bool storage_finished_game_row(void *context, int64_t game);

/* Lists the ids of all finished games above `after_id`, ascending. */
enum storage_result storage_finished_games_each(struct storage *storage, int64_t after_id,
                                                storage_finished_game_row *row,
                                                void *context) MUST_CHECK;

/* A rated game that has ended, void ones included. */
struct storage_ended_game {
    int64_t game_id;
    int64_t at_ms;
};

/* Among the rated games of this kind (`game`), finds the one that ended next after the game
 * `after`; STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_past_games_find_next_rated(struct storage *storage, const char *game,
                                                       const struct storage_ended_game *after,
                                                       struct storage_ended_game *next) MUST_CHECK;

/* Finds the best rated game that ended from `from_ms` to `until_ms`: the one whose players had the
 * highest average rating before the game. STORAGE_NOT_FOUND when there is none. */
enum storage_result storage_past_games_find_highest_rated(struct storage *storage, int64_t from_ms,
                                                          int64_t until_ms,
                                                          int64_t *game) MUST_CHECK;
