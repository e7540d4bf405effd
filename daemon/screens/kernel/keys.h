#pragma once

#include <stddef.h>
#include <stdint.h>

struct ui;

/* Takes typed bytes and handles each key. */
void ui_take_typed_bytes(struct ui *ui, const uint8_t *bytes, size_t len);
