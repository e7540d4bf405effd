#pragma once

#include "daemon/screens/lobby/set_up_state.h"

/* Which choices a new table has, and stepping through them. */

const struct game_def *set_up_game(const struct set_up_state *state);

/* The game at that index of the registry, with its usual options. */
void set_up_choose_game(struct set_up_state *state, uint8_t index);

/* The game, and the players if any, that words name: its id or title, then a number. Returns
 * NULL, or why it cannot be: a sentence, in `why` (of `cap` bytes) if need be. */
const char *set_up_choose_words(struct set_up_state *state, const char *words, char *why,
                                size_t cap);

/* The next of the usual ways to be watched, or the one before (by -1). */
void set_up_change_watch(struct set_up_state *state, int by);

void set_up_choose_clock(struct set_up_state *state, const struct clock_rule *clock);

/* A row's value as people write it; false when there is no such value. */
bool set_up_row_set(struct set_up_state *state, int row, const char *value) MUST_CHECK;
