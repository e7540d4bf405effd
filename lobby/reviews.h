#ifndef LOBBY_REVIEWS_H
#define LOBBY_REVIEWS_H

#include "lobby/house_state.h"

/*
 * Reviews: one person leads through a finished game, and who follows sees the same step. They live
 * in memory alone: after a restart of the house people begin anew. Who has the lead may hand it
 * over; when they go it passes to who has followed longest.
 */

/* Pushes `review` to this connection, as when it has come back. */
void review_tell(struct house *house, const struct conn *conn);

/* Out of the review the connection is in, if any. */
void review_exit(struct house *house, struct conn *conn);

/* Forgets all of them; nobody is told. */
void reviews_clear(struct house *house);

#endif
