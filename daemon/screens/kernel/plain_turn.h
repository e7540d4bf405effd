#pragma once

#include <stdint.h>

struct ui;

/* Plain mode, after every event: carries out typed lines as far as answers allow, prints the top
 * screen if it has not been printed, and closes screens without input. */
void ui_plain_carry_out_lines(struct ui *ui);

/* Plain mode: when it has something to do without an event; INT64_MAX: never. */
int64_t ui_plain_next_event_ms(const struct ui *ui);
