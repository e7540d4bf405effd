#pragma once

#include "fixture.h"
#include "storage/ratings/ratings.h"

#define DAY_MS INT64_C(86400000)
#define NOW_MS (1000 * DAY_MS)
#define SEASON 19723

#define BOARDS_LISTING                                                                             \
    {                                                                                              \
        .board = {.game = "whist"}, .now_ms = NOW_MS                                               \
    }

/* Adds an account with a rating of 30 games. */
int64_t boards_add_account_of_kind(struct storage *storage, const char *name, double mu,
                                   enum storage_kind kind);
int64_t boards_add_account(struct storage *storage, const char *name, double mu);

/* Adds a game with this rating change; returns the game's number. */
int64_t boards_add_game(struct storage *storage, struct storage_rating_change change);

/* Reads the account's row on the listing's board; false when it has no rating. */
bool boards_read_row(struct storage *storage, const struct storage_listing *listing,
                     int64_t account, struct storage_leader *row);

/* Called for each number of players with which the account has played at least one game; `tally`
 * sums up those games. */
typedef bool boards_tally_row(void *context, uint8_t players, const struct storage_tally *tally);

/* Lists an account's tallies of all time (span STORAGE_SPAN_ALL) or of a season, by number of
 * players. */
enum storage_result boards_tallies_each(struct storage *storage, int64_t account,
                                        const struct storage_board *board, boards_tally_row *row,
                                        void *context);
