#pragma once

#include <stdbool.h>

struct ui;

/* Shows the hint for the current step of the open replay, or hides it; in plain mode, prints it.
 * Returns false if no replay is open. */
bool replay_show_hint(struct ui *ui);
