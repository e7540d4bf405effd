#pragma once

#include "daemon/screens/table/table_state.h"

/* Clocks, halts and alarms of the entered table. */

/* Why the game does not simply go on: it stands still, a bot plays for you, somebody has lost the
 * connection. False when there is nothing to say. */
bool table_write_halt(const struct model_entered *entered, const struct words *words,
                      int64_t now_ms, struct text *out);

/* Asks the house to go on with a game that stands still, or for one's seat back from a bot. */
void table_resume(struct ui *ui);

/* Enter, when that ends what table_write_halt says of a halt or of a bot; else false. */
bool table_halt_key(struct ui *ui, const struct press *press);

/* What to do about it, in the last line. */
void table_halt_hints(const struct model_entered *entered, struct hints *hints);

/* Rings once a turn when the own clock of a live game has only CLOCK_SHORT_MS left. */
#define CLOCK_SHORT_MS 10000
void table_alarm(struct ui *ui, struct table_state *state);

/* When a time that is shown changes; INT64_MAX: none runs. */
int64_t table_clock_next_ms(const struct model_entered *entered, int64_t now_ms);
