#pragma once

#include "daemon/screens/table/table_state.h"

/* Clocks, halts and alarms of the entered table. */

/* Why the game does not continue: it is halted, a bot plays for the person, or somebody has lost
 * the connection. False if there is nothing to say. */
bool table_write_halt(const struct model_entered *entered, const struct words *words,
                      int64_t now_ms, struct text *out);

/* Asks the core to resume a halted game, or for one's seat back from a bot. */
void table_resume(struct ui *ui);

/* Handles Enter if it ends the halt, or the bot, that table_write_halt reports; otherwise false. */
bool table_halt_handle_key(struct ui *ui, const struct press *press);

/* What to do about it, for the last line. */
void table_halt_add_hints(const struct model_entered *entered, struct hints *hints);

/* Rings once in a turn when one's own clock in a live game has only CLOCK_SHORT_MS left. */
#define CLOCK_SHORT_MS 10000
void table_ring_alarm(struct ui *ui, struct table_state *state);

/* When a visible time changes; INT64_MAX: none runs. */
int64_t table_next_clock_change_ms(const struct model_entered *entered, int64_t now_ms);
