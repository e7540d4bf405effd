#pragma once

#include "daemon/screens/drawing/draw.h"

#include <stdint.h>

/* Draws a small chart of numbers over time, one number per column; a narrow area shows only the
 * newest numbers. Uses eighths of a block, or # and . in ASCII. The highest and the lowest number
 * are written at the left edge. */
void chart_draw(const struct canvas *canvas, const struct area *area, const int32_t *values,
                int count);
