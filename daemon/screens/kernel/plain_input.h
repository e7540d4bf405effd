#pragma once

#include <stdint.h>

struct press;
struct ui;

/* Handles a key pressed or a character pasted in plain mode. */
void ui_plain_handle_key(struct ui *ui, const struct press *press);

/* Plain mode, called after every event: carries out each typed line once the answers to the lines
 * before it have arrived, prints the top screen if it was not printed, and closes screens that take
 * no input. */
void ui_plain_carry_out_lines(struct ui *ui);

/* Returns the time when plain mode will have something to do even without an event; INT64_MAX:
 * never. */
int64_t ui_plain_next_event_at_ms(const struct ui *ui);
