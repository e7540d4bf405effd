#ifndef STORAGE_ARCHIVE_PLAYED_H
#define STORAGE_ARCHIVE_PLAYED_H

#include "storage/archive/games.h"
#include "storage/storage.h"

/* Looking back: whose games, with whom, how often. */

struct storage_played {
    int64_t game_id;
    char game[STORAGE_WORD_SIZE];
    int64_t finished_ms;
    bool is_rated;
    uint8_t own; /* index of the asked-for account in `scores` */
    bool has_change;
    double change_mu; /* what the game did to the account's mu, when has_change */
    size_t score_count;
    struct storage_score scores[STORAGE_SCORES_MAX];
};

/* Return false to stop. */
typedef bool storage_played_row(void *context, const struct storage_played *played);

/* The same as storage_played_each for a guest, who is known by the name alone. */
enum storage_result storage_played_by_guest(struct storage *storage, const char *name,
                                            int64_t before, size_t count, storage_played_row *row,
                                            void *context) MUST_CHECK;

/* The account's finished games with an id below `before` (INT64_MAX: from the newest), newest
 * first, at most `count`. */
enum storage_result storage_played_each(struct storage *storage, int64_t account, int64_t before,
                                        size_t count, storage_played_row *row,
                                        void *context) MUST_CHECK;

/* Return false to stop. */
typedef bool storage_finished_row(void *context, int64_t game);

/* The numbers of all finished games after `after`, ascending. */
enum storage_result storage_finished_each(struct storage *storage, int64_t after,
                                          storage_finished_row *row, void *context) MUST_CHECK;

/* How many rated games of `game` exactly these people (accounts of kind player, in any order, at
 * most STORAGE_SCORES_MAX) have finished with each other at `since_ms` or later. */
enum storage_result storage_played_together(struct storage *storage, const char *game,
                                            const int64_t *accounts, size_t count, int64_t since_ms,
                                            uint32_t *games) MUST_CHECK;

/* The same of a game that is over: how many rated ones its people had finished with each other in
 * the `within_ms` before it. */
enum storage_result storage_played_before(struct storage *storage, int64_t game_id,
                                          int64_t within_ms, uint32_t *games) MUST_CHECK;

/* A rated game that is over, void ones included. */
struct storage_ended {
    int64_t game_id;
    int64_t at_ms;
};

/* The rated game of `game` that ended next after this one; STORAGE_NOT_FOUND after the last. */
enum storage_result storage_rated_next(struct storage *storage, const char *game,
                                       const struct storage_ended *after,
                                       struct storage_ended *next) MUST_CHECK;

/* The rated game that ended from `from_ms` to `until_ms` whose players were the strongest before it
 * on average; STORAGE_NOT_FOUND when none did. */
enum storage_result storage_played_best(struct storage *storage, int64_t from_ms, int64_t until_ms,
                                        int64_t *game) MUST_CHECK;

#endif
