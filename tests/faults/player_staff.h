#pragma once

#include "tests/faults/player_state.h"
#include "tests/lobby/order_lines.h"

/* The orders (lines with a command of mod_commands.def) that players give, staff above all, and
 * what orders of others do to a player: another name, another role, a deleted account. */

/* Whether the player wants to give an order now. */
bool staff_wants_to_order(struct player *player);

/* Gives an order: a random command of the player's role, sometimes of another role, or again the
 * order that waits to be confirmed. */
void staff_give_order(struct player *player);

/* Handles the answer to an order: `ok`, or a refusal with this code. */
void staff_handle_order_done(struct player *player, const struct player_request *request);
void staff_handle_order_refused(struct player *player, const struct player_request *request,
                                const char *code);

/* Reads from a message who the player is now. */
void staff_read_identity(struct player *player, const json_t *you);

/* Learns which account the player has signed in to with their name. */
void staff_learn_account(struct player *player);

/* Learns why the player cannot sign in with their name: staff have renamed them, or the account is
 * gone. */
void staff_learn_new_name(struct player *player);

/* Returns the arguments that order_line_generate needs, with everything that any player was told
 * about. */
struct sim;
struct order_lines staff_make_line_arguments(struct sim *sim);
