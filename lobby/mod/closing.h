#ifndef LOBBY_MOD_CLOSING_H
#define LOBBY_MOD_CLOSING_H

#include "lobby/house_state.h"

/* The house that takes no new games, or is about to close; and what staff took from players. None
 * of the first two outlives the core. */

void closing_tick(struct house *house);
int64_t closing_next_ms(const struct house *house);

/* True when a game may begin now; else the request is answered `draining`. */
bool closing_let_begin(struct house *house, struct conn *conn, int64_t request) MUST_CHECK;

/* True when players may use a message's type, a verb or a game of that name; else the request is
 * answered `off`. Staff always may. */
bool closing_is_on(struct house *house, struct conn *conn, int64_t request,
                   const char *name) MUST_CHECK;

/* Everybody in the house reads it. */
void closing_tell_all(struct house *house, const char *kind, const char *text);

/* What everybody reads who comes in, if there is something. */
void closing_tell_motd(struct house *house, const struct conn *conn);

/* Whether an address or a key (maybe "") is one no ban or limit of newcomers holds for. */
bool allowed_is(struct house *house, const struct conn *conn) MUST_CHECK;
bool allowed_has_address(struct house *house, const char *address) MUST_CHECK;

#endif
