#pragma once

#include "daemon/screens/table/table_state.h"

/* Shows clocks and halts of the entered table, and rings the bell when time runs out. */

/* True while the game is paused, adjourned, or waits for players after a downtime; false during the
 * stop between two rounds. */
bool table_game_is_halted(const struct model_entered *entered);

/* True while it is the viewer's turn, but the game waits for players whom the house has
 * disconnected: a move that the viewer chooses is made once the game goes on. */
bool table_halt_keeps_moves(const struct model_entered *entered);

/* Writes why the game does not continue: it is halted, a bot plays for the viewer, or a player has
 * lost the connection. Returns false if the game continues. */
bool table_write_why_game_waits(const struct model_entered *entered, const struct words *words,
                                int64_t now_ms, struct text *out);

/* Asks the core to resume a halted game, or to give the viewer's seat back if a bot plays there. */
void table_request_resume(struct ui *ui);

/* Handles the Enter key if it resumes the game or takes the seat back from a bot; otherwise returns
 * false. If the halt keeps moves, an Enter that takes or has just confirmed a move does not resume
 * the game. */
bool table_handle_key_in_halt(struct ui *ui, struct table_state *state, const struct press *press);

/* Adds the hints for the keys and commands with which the viewer continues a halted game, takes the
 * seat back, or agrees to a pause or an adjournment. */
void table_add_halt_hints(const struct model_entered *entered, const struct table_state *state,
                          struct hints *hints);

/* Rings the bell once a turn, when the player's own clock has only CLOCK_SHORT_MS left. */
#define CLOCK_SHORT_MS 10000
void table_ring_bell_at_low_time(struct ui *ui, struct table_state *state);

/* Returns the time at which the next displayed clock changes; INT64_MAX if no clock runs. */
int64_t table_next_clock_change_ms(const struct model_entered *entered, int64_t now_ms);
