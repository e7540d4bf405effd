#ifndef DAEMON_SCREENS_KERNEL_KEYS_H
#define DAEMON_SCREENS_KERNEL_KEYS_H

#include <stddef.h>
#include <stdint.h>

struct ui;

/* Takes typed bytes and carries out each key. */
void ui_take_typed(struct ui *ui, const uint8_t *bytes, size_t len);

#endif
