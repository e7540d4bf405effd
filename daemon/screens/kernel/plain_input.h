#pragma once

#include <stdint.h>

struct ui;

/* Takes one character typed in plain mode. */
void ui_plain_type(struct ui *ui, uint32_t code);
