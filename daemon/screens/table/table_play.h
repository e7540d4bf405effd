#pragma once

#include "daemon/screens/table/table_state.h"

/* Handles keys pressed during a game, and sends the moves that they choose. */

bool table_play_handle_key(struct ui *ui, struct table_state *state, const struct press *press);

/* True if the key can decide something in the game: a card, a choice, Enter, a click. */
bool table_may_key_decide(struct ui *ui, const struct press *press);

/* Forgets that an Enter has named a move that nobody has chosen: the next Enter names it again. */
void table_forget_named_move(struct table_state *state);

/* Shows why an illegal move is not made; in plain mode also which move it was, and what can be
 * typed. */
void table_refuse_move(struct ui *ui, uint8_t move);

/* True if the player has selected a card or another choice, or typed a part of one: Enter then
 * takes it. */
bool table_has_selection(const struct table_state *state);

/* True for the first Enter that comes soon after a move: it was meant to confirm that move. */
bool table_take_enter_after_move(struct ui *ui, struct table_state *state,
                                 const struct press *press);

/* Sends a move, chooses it for the end of the halt (table_halt_keeps_moves), or shows why it is not
 * allowed. */
void table_make_move(struct ui *ui, struct table_state *state, uint8_t move);

/* Asks for confirmation before the player gives up the seat. */
void table_ask_before_leaving_for_good(struct ui *ui);

/* Opens the screen with the earlier steps of the game, for spectators only. Returns false for a
 * player, or if no game is in play. */
bool table_open_earlier_steps(struct ui *ui);

/* Shows a notice with the names of those who watch the entered table. */
void table_show_spectators(struct ui *ui);
