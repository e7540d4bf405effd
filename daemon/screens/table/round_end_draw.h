#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/round_end.h"

/* Draws the end of a round into the area: each player's points, with how they came about, and the
 * round's last trick. Nothing is cut: what does not fit can be scrolled. */
void round_end_draw(struct round_end *round_end, const struct model_entered *entered,
                    const struct words *words, const struct canvas *canvas,
                    const struct area *area);
