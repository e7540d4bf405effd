#ifndef DAEMON_SCREENS_KERNEL_PLAIN_INPUT_H
#define DAEMON_SCREENS_KERNEL_PLAIN_INPUT_H

#include <stdint.h>

struct ui;

/* Takes one character typed in plain mode. */
void ui_plain_type(struct ui *ui, uint32_t code);

#endif
