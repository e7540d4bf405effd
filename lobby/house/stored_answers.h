#pragma once

#include "lobby/house/house_state.h"

/*
 * The answers to sessions' requests are committed together with the effects of the requests. If a
 * core ends after the commit and before it has sent anything, the next core knows the answers.
 * Answers may be private (a recovery code), so they are encrypted with house_config's answers_key,
 * which is in no file. One row contains all answers of a commit, one a line: the connection, the
 * request and, unless it is an `ok` without fields, the answer. The oldest rows are deleted once
 * two minutes have passed or two megabytes of answers have followed, whichever comes first; no
 * session needs older answers.
 */

/* Stores the new answers in the commit that follows. Does nothing when there is nothing to
 * commit. */
void stored_answers_write(struct house *house);

/* Gives a returning session the answers that an earlier core stored for it. */
void stored_answers_claim(struct house *house, struct conn *conn);
