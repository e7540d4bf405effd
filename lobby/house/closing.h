#ifndef LOBBY_HOUSE_CLOSING_H
#define LOBBY_HOUSE_CLOSING_H

#include "lobby/house/house_state.h"

/* The house that takes no new games, or is about to close; and what staff took from players. All of
 * it outlives the core. No new games begin until staff say otherwise; that and the hour of closing
 * end with the house that has closed as announced. */

/* Reads what was announced. */
void closing_begin(struct house *house);

/* All connections that outlived the last core have been handed over: did the house close when it
 * was to, while no core was there? Not if there are any; then it does so now. */
void closing_connections_end(struct house *house, bool has_survivors);

void closing_tick(struct house *house);
int64_t closing_next_ms(const struct house *house);

/* True when a game of that name may begin now; else the request is answered `draining` or `off`
 * (closing_is_on). */
bool closing_let_begin(struct house *house, struct conn *conn, int64_t request,
                       const char *game) MUST_CHECK;

/* True when players may use a message's type, a verb or a game of that name; else the request is
 * answered `off`. Staff always may. */
bool closing_is_on(struct house *house, struct conn *conn, int64_t request,
                   const char *name) MUST_CHECK;

/* To somebody who comes (again): that the house closes, and when; that no games begin. */
void closing_tell(struct house *house, const struct conn *conn);

/* What everybody reads who comes in, if there is something. */
void closing_tell_motd(struct house *house, const struct conn *conn);

#endif
