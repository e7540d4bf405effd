#pragma once

#include "lobby/house/house_state.h"

/*
 * The answers to sessions' requests are committed in the same transaction as the effects of the
 * requests. If a core ends after the commit, before it has sent anything, its successor knows the
 * answers.
 *
 * Answers may be private (a recovery code), so they are sealed with house_config's answers_key,
 * which is in no file.
 *
 * One row holds all answers of a commit, one a line: connection, request and, unless it is a bare
 * `ok`, the answer. Rows are deleted from the front once two minutes have passed or two megabytes
 * of answers have followed, whichever comes first: a connection may lag behind by less than either.
 */

/* Stores the new answers as part of the commit that follows. Does nothing when there is nothing to
 * commit. */
void stored_answers_write(struct house *house);

/* Gives a returning session the answers that an earlier core stored for it. */
void stored_answers_claim(struct house *house, struct conn *conn);
