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

/* Returns an account's standing on the game's all-time leaderboard for any number of players. The
 * account stays listed forever. */
struct storage_standing boards_make_standing(int64_t account, double mu);

/* Adds an account with a rating and a standing on the game's all-time leaderboard. */
int64_t boards_add_account_of_kind(struct storage *storage, const char *name, double mu,
                                   enum storage_kind kind);
int64_t boards_add_account(struct storage *storage, const char *name, double mu);

/* Puts the account on the season's leaderboard. The account must already have a rating of that
 * season. */
void boards_put_season_standing(struct storage *storage, int64_t account, double mu);

/* Adds a game with this rating change; returns the game's number. */
int64_t boards_add_game(struct storage *storage, struct storage_rating_change change);

/* Returns the number of rows that `listing` selects from a leaderboard. */
uint32_t boards_count_rows(struct storage *storage, const struct storage_listing *listing);
