#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ui;

/* Takes typed bytes and handles each key. */
void ui_take_typed_bytes(struct ui *ui, const uint8_t *bytes, size_t len);

/* Handles an Esc that is a key of its own, because nothing has followed it. True if there was one.
 */
bool ui_take_overdue_keys(struct ui *ui);
