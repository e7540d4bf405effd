#pragma once

#include "games/text.h"

#include <stdbool.h>
#include <stdint.h>

/* How a finished game ended for a player, as items of a list: "score 31, rating +12", "left for
 * good, rating -8". `score` is ROW_NONE for who left; `change` counts when is_rated. */
void played_write_result(int32_t score, bool is_rated, int32_t change, struct text *out);
