#pragma once

#include "daemon/screens/drawing/draw.h"

#include <stdint.h>

/* Draws a small chart of numbers over time, one per column; if the area is too narrow, only the
 * last ones. Uses eighths of a block, or # and . in ASCII. The highest and the lowest number are
 * written at the left edge. */
void chart_draw(const struct canvas *canvas, const struct area *area, const int32_t *values,
                int count);
