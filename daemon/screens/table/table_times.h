#pragma once

#include "daemon/screens/table/table_state.h"

/* Clocks, halts and alarms of the entered table. */

/* Writes why the game does not continue: it is halted, a bot plays for the person, or a player has
 * lost the connection. False if there is nothing to say. */
bool table_write_halt(const struct model_entered *entered, const struct words *words,
                      int64_t now_ms, struct text *out);

/* Asks the core to resume a halted game, or to give the person's seat back from a bot. */
void table_resume(struct ui *ui);

/* Handles Enter if it resumes the game or takes the seat back from a bot; otherwise returns
 * false. */
bool table_halt_handle_key(struct ui *ui, const struct press *press);

/* Adds hints for the keys that continue the game. */
void table_halt_add_hints(const struct model_entered *entered, struct hints *hints);

/* Rings the bell once in a turn when the player's own clock has only CLOCK_SHORT_MS left. */
#define CLOCK_SHORT_MS 10000
void table_ring_alarm(struct ui *ui, struct table_state *state);

/* Returns when a visible time changes next; INT64_MAX if no clock runs. */
int64_t table_next_clock_change_ms(const struct model_entered *entered, int64_t now_ms);
