#pragma once

#include "tests/faults/player_state.h"
#include "tests/lobby/order_lines.h"

/* The lines of words (mod_commands.def) that players give, staff above all, and what such lines of
 * others do to a player: another name, another role, a deleted account. */

/* Whether the player gives an order now. */
bool staff_wants_order(struct player *player);

/* Gives an order: a random command of the player's role, sometimes of another role, or
 * the order that waits to be confirmed. */
void staff_order(struct player *player);

/* An order was answered with `ok`, or refused with this code. */
void staff_order_done(struct player *player, const struct player_asked *asked);
void staff_order_refused(struct player *player, const struct player_asked *asked, const char *code);

/* A message says who the player is now. */
void staff_take_you(struct player *player, const json_t *you);

/* The player has signed in with their name. */
void staff_learn_account(struct player *player);

/* The player cannot sign in with their name: they were renamed or have no account any more. */
void staff_find_name(struct player *player);

/* The arguments that order_line_make needs, with everything that any player was told about. */
struct sim;
struct order_lines staff_lines(struct sim *sim);
