#pragma once

#include "lobby/house/house_state.h"

/*
 * Shared replays: one person leads through a finished game, and the followers see the same step. A
 * replay lasts as long as somebody in it is connected, even across a restart of the core. The
 * leader may hand over the lead; when the leader leaves, it passes to the longest follower.
 */

/* Pushes `review` to this connection, for example after it has been handed over to a new core. */
void review_tell(struct house *house, const struct conn *conn);

/* The number of a shared replay in the storage. */
int64_t review_id(const struct review *review);

/* Puts a connection that outlived the last core back into its replay (0: none), at its place. */
void review_return(struct house *house, struct conn *conn, int64_t id, int64_t place);

/* Ends the replays that nobody has come back to. */
void reviews_forget(struct house *house);

/* Removes the connection from its replay, if any. */
void review_exit(struct house *house, struct conn *conn);

/* Pushes `review` to everybody in a replay with this person. */
void reviews_tell_of(struct house *house, const struct person *person);

/* Frees all replays; nobody is told. */
void reviews_clear(struct house *house);
