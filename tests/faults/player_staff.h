#pragma once

#include "tests/faults/player_state.h"
#include "tests/lobby/order_lines.h"

/* Moderation commands (orders) that simulated players give, mostly players who are staff. Also what
 * such commands change for a player: a new name, a new role or a deleted account. */

/* Whether the player wants to give a moderation command now. */
bool staff_wants_to_give_order(struct player *player);

/* Gives a moderation command: the one that waits to be confirmed, or else a random one, usually one
 * that the player's role allows. */
void staff_give_order(struct player *player);

/* Handles the answer to a moderation command: `ok`, or a refusal with this code. */
void staff_handle_order_ok(struct player *player, const struct player_request *request);
void staff_handle_order_refused(struct player *player, const struct player_request *request,
                                const char *code);

/* Reads the player's current name and role from a message. */
void staff_read_identity(struct player *player, const json_t *you);

/* Looks up the number of the account with the player's name. */
void staff_look_up_account(struct player *player);

/* Looks up why the player cannot sign in with the known name: staff have renamed the player, or the
 * account is gone. */
void staff_learn_new_name(struct player *player);

/* Returns the arguments of order_line_generate: the tables, games and chat lines that players were
 * told about. */
struct sim;
struct order_lines staff_make_order_arguments(struct sim *sim);
