#ifndef LOBBY_BOTS_TABLE_BOTS_H
#define LOBBY_BOTS_TABLE_BOTS_H

#include "lobby/house/house_state.h"

/*
 * Moves nobody has to press a key for: those of bots, of people whose clock has run out, and of
 * people who are away from a game without a clock. The bots' process is asked at once and its move
 * shown at its time, whatever the cards; if it does not answer the house plays the policy itself.
 */

/* Clocks, absences, and moves whose time has come. */
void bots_tick(struct house *house);
int64_t bots_next_ms(const struct house *house);

/* A bot peer is ready: what is wanted and not answered is asked again. */
void bots_ask_again(struct house *house);

/* A bot peer has gone: others are asked. */
void bots_peer_gone(struct house *house, const struct conn *peer);

#endif
