#pragma once

#include "daemon/screens/drawing/draw.h"

#include <stdint.h>

/* Draws a small chart of numbers over time: one bar per number, one column wide. If the area is too
 * narrow, only the newest numbers are shown. Bars consist of block characters that fill eighths of
 * a row, or of # and . in ASCII mode. The highest and the lowest number are written at the left
 * edge. */
void chart_draw(const struct canvas *canvas, const struct area *area, const int32_t *values,
                int value_count);
