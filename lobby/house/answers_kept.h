#ifndef LOBBY_HOUSE_ANSWERS_KEPT_H
#define LOBBY_HOUSE_ANSWERS_KEPT_H

#include "lobby/house/house_state.h"

/*
 * What sessions' requests were answered is committed together with what they did: a core that ends
 * after the commit and before it has told anybody is followed by one that knows the answers. They
 * are what people alone may read (a recovery code), so they are sealed with house_config's
 * answers_key, which no file holds.
 *
 * One row holds all answers of a commit, as lines: connection, request and, if it is more than a
 * bare `ok`, the answer. Rows that nobody can need any more are dropped from the front, two minutes
 * or two megabytes of answers later, whichever comes first: an answer is unheard for as long as
 * its connection may be behind, which is less of either.
 */

/* Just before a commit, as a part of it; if there is nothing to commit, nothing is done. */
void answers_kept_store(struct house *house);

/* A session is back: it gets the answers that an earlier core has stored for it. */
void answers_kept_return(struct house *house, struct conn *conn);

#endif
