#pragma once

#include "games/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Writes how a finished game ended for a player, as items of a list: "score 31, rating +12", "left
 * for good, rating -8". `score` is ROW_NONE for a player who left; `change` is used if is_rated. */
void played_write_result(int32_t score, bool is_rated, int32_t change, struct text *out);

/* Write the same results as cells of a table, and return all of `out`: place "1 of 4" ("-": none),
 * score "31" or "left", change of rating "+12" ("-" if the game was not rated). */
const char *played_write_place(int32_t rank, int32_t players, struct text *out);
const char *played_write_score(int32_t score, struct text *out);
const char *played_write_change(bool is_rated, int32_t change, struct text *out);
