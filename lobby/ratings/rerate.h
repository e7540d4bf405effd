#pragma once

#include "lobby/house/house_state.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Re-rating. A void game has no effect, so all later games of its players, and of those they have
 * played since, are rated again in the order in which they ended. A few games are re-rated at once,
 * in the transaction that declares the game void. Many are re-rated in later rounds of the event
 * loop, also after a restart; until all are done, everybody keeps their old rating.
 *
 *     WAITS ──▶ GAMES: results are stored aside ──▶ ACCOUNTS: they take effect ──▶ removed
 */

/* Declares a finished game void and undoes its effect on ratings, tallies and lists. Returns false,
 * with nothing changed, when the game is not finished or already void. */
bool rerate_declare_game_void(struct house *house, int64_t game_id);

/* True while re-rating is in progress. */
bool rerate_is_in_progress(struct house *house);

/* Recomputes an account's ratings in one game from all rating changes stored for the account. Call
 * it after another account was merged into this one, but not while re-rating is in progress. */
void rerate_account(struct house *house, int64_t account, const char *game);

/* Called before a game is rated: gives these players the ratings that re-rating has computed for
 * them so far. */
void rerate_apply_computed_ratings(struct house *house, const char *game, const int64_t *accounts,
                                   size_t count);

/* Continues unfinished re-rating when the house starts. */
void rerate_continue(struct house *house);
