#ifndef LOBBY_RATINGS_RERATE_H
#define LOBBY_RATINGS_RERATE_H

#include "lobby/house/house_state.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Rating again. A void game changes nothing, so all that came after it for those in
 * it, and for those they met since, is computed anew, in the order the games ended. A few games are
 * done at once, in the transaction that voids; many go on in later turns and after a restart, and
 * until all is done everybody keeps the rating they had.
 *
 *     WAITS ──▶ GAMES: what was computed stands aside ──▶ ACCOUNTS: it takes effect ──▶ gone
 */

/* Declares a finished game void and takes back what it did to ratings, tallies and lists. False,
 * and nothing has happened, when it is not finished or void already. */
bool rerate_void(struct house *house, int64_t game_id);

/* True while some game's ratings are not what they will be. */
bool rerate_is_on(struct house *house);

/* Computes the account's ratings of a game from all that games did to them: those of somebody else
 * have become theirs. Not while rerate_is_on. */
void rerate_account(struct house *house, int64_t account, const char *game);

/* Before a game is rated: what has come out for those in it takes effect now. */
void rerate_settle(struct house *house, const struct table *table);

/* The house begins: work left over goes on. */
void rerate_begin(struct house *house);
void rerate_tick(struct house *house);
int64_t rerate_next_ms(const struct house *house);

#endif
