#pragma once

#include "daemon/screens/lobby/set_up_state.h"

/* The choices for a new table, and stepping through them. */

const struct game_def *set_up_game(const struct set_up_state *state);

/* The game at that index of the registry, with its default options. */
void set_up_choose_game(struct set_up_state *state, uint8_t index);

/* Reads a game, and optionally a number of players, from words: the game's id or title, then the
 * number. Returns NULL, or a sentence with the error, if necessary written to `why` (of `cap`
 * bytes). */
const char *set_up_choose_words(struct set_up_state *state, const char *words, char *why,
                                size_t cap);

/* The next common choice of who may watch, or the previous one (by -1). */
void set_up_change_watch(struct set_up_state *state, int by);

void set_up_choose_clock(struct set_up_state *state, const struct clock_rule *clock);

/* Sets a row's value from its text; false if the value is invalid. */
bool set_up_row_set(struct set_up_state *state, int row, const char *value) MUST_CHECK;
