#pragma once

#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/hint.h"

/*
 * Describes a hint in words. `view` is always the view from which the hint was made. All functions
 * append to `out` and return all of `out`.
 */

/* Writes a move as its button on the table: "T♥", "pass", "3 or 4". */
const char *hint_write_move(const struct words *words, const struct game_view *view, uint8_t move,
                            struct text *out);

/* Writes expected points: "+9.1", "-0.4"; "–" for NULL. */
const char *hint_write_points(const struct theme *theme, const struct search_choice *choice,
                              struct text *out);

/* Writes the first moves of the hint with the points expected: "7♠ (+9.1), K♥ (+6.0)": at most
 * `most` of them, and then the move `also` if it is not one of them; MOVE_NONE: no such move. */
const char *hint_write_choices(const struct words *words, const struct game_view *view,
                               const struct hint *hint, uint8_t most, uint8_t also,
                               struct text *out);

/* Returns what to know about expected points in that game, translated. */
const char *hint_explain_points(const struct game_def *game);
