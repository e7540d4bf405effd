#ifndef TESTS_FAULTS_PLAYER_STAFF_H
#define TESTS_FAULTS_PLAYER_STAFF_H

#include "tests/faults/player_state.h"
#include "tests/lobby/order_lines.h"

/* What players do by a line of words (verbs.def), staff above all; and what others do to them by
 * one: another name, another role, no account any more. */

/* True when they do so now. */
bool staff_wants_order(struct player *player);

/* A random verb of those of their role, now and then of another; or the one that has waited for
 * them to confirm it. */
void staff_order(struct player *player);

/* An order was answered `ok`; or with this code. */
void staff_order_done(struct player *player, const struct player_asked *asked);
void staff_order_refused(struct player *player, const struct player_asked *asked, const char *code);

/* Something tells who they are now. */
void staff_take_you(struct player *player, const json_t *you);

/* Somebody has come in by their name. */
void staff_learn_account(struct player *player);

/* Nobody is let in under their name: they have another one, or no account any more. */
void staff_find_name(struct player *player);

/* For order_line_make, with everything that somebody was told of. */
struct sim;
struct order_lines staff_lines(struct sim *sim);

#endif
