#pragma once

#include "daemon/screens/lobby/set_up_state.h"

/* The choices for a new table. */

const struct game_def *set_up_chosen_game(const struct set_up_state *state);

/* Chooses the game at that index of the registry, with its default options. */
void set_up_choose_game(struct set_up_state *state, uint8_t index);

/* Sets the number of players; false if the game is not for so many. */
bool set_up_choose_players(struct set_up_state *state, int players);

/* Chooses a game by its id or title, optionally followed by a number of players. Returns NULL, or
 * `why` with a sentence about what is wrong. */
const char *set_up_choose_from_words(struct set_up_state *state, const char *words,
                                     struct text *why);

/* Steps to the next usual choice of who may watch, or to the previous one (by -1). */
void set_up_change_watching(struct set_up_state *state, int by);

void set_up_choose_clock(struct set_up_state *state, const struct clock_rule *clock);

/* Sets a row's value from its text; false if the value is invalid. */
bool set_up_set_row(struct set_up_state *state, int row, const char *value) MUST_CHECK;
