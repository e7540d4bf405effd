#ifndef TESTS_E2E_PLAY_H
#define TESTS_E2E_PLAY_H

#include "tests/e2e/terminal.h"

#include <stdbool.h>

/*
 * Playing by what the screen shows, whatever the game: when it is one's turn, the first number or
 * card in brackets is chosen by its key.
 */

/* Presses the key of one move if the screen offers one; true when it did. */
bool play_move(struct terminal *player);

/* Plays for all of them (NULL-ended) until the first one's screen shows the words; fails the test
 * when that takes longer than limit_ms. */
void play_until(struct terminal *const *players, const char *words, long limit_ms);

#endif
