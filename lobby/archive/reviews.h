#ifndef LOBBY_ARCHIVE_REVIEWS_H
#define LOBBY_ARCHIVE_REVIEWS_H

#include "lobby/house/house_state.h"

/*
 * Reviews: one person leads through a finished game, and who follows sees the same step. They last
 * as long as the connection of somebody in them, whatever becomes of the core. Who has the lead may
 * hand it over; when they go it passes to who has followed longest.
 */

/* Pushes `review` to this connection, as when it has come back. */
void review_tell(struct house *house, const struct conn *conn);

/* What a review is called in the storage. */
int64_t review_id(const struct review *review);

/* A connection that has outlived the last core: back into the review it was in (0: none), at its
 * place. */
void review_return(struct house *house, struct conn *conn, int64_t id, int64_t place);

/* Those that nobody has come back to are over. */
void reviews_forget(struct house *house);

/* Out of the review the connection is in, if any. */
void review_exit(struct house *house, struct conn *conn);

/* Pushes `review` to all who are in one with this person. */
void reviews_tell_of(struct house *house, const struct person *person);

/* Forgets all of them; nobody is told. */
void reviews_clear(struct house *house);

#endif
