#pragma once

#include "daemon/screens/drawing/draw.h"

#include <stdint.h>

/* A small chart of numbers over time, a column each, the last ones when the area is narrower:
 * eighths of a block, or # and . in ASCII. The highest and the lowest stand at the left edge. */
void chart_draw(const struct canvas *canvas, const struct area *area, const int32_t *values,
                int count);
