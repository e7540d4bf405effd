#pragma once

#include <stdint.h>

struct ui;

/* Takes one character typed in plain mode. */
void ui_plain_take_character(struct ui *ui, uint32_t code);
