#pragma once

#include "tests/e2e/terminal.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Plays any game by reading the screen: when it is the player's turn, presses the key that
 * takes what is selected in advance, otherwise the key of the first card, number, choice or phrase
 * in brackets.
 */

/* Presses the key of one move. Returns false if the screen offers no move. */
bool play_move(struct terminal *player);

/* Plays for all players (NULL-ended) until the first player's screen shows the words. Fails the
 * test when that takes longer than limit_ms. */
void play_until(struct terminal *const *players, const char *words, long limit_ms);

/* Like play_until, but calls `watch`, if it is not NULL, with each player's screen before a key is
 * pressed. */
typedef void play_observer(void *context, struct terminal *player);
void play_until_observed(struct terminal *const *players, const char *words, long limit_ms,
                         play_observer *watch, void *context);

/* Copies the row that prompts the player. Returns false while the screen offers no move or shows
 * the previous trick. */
bool play_read_prompt(struct terminal *player, char *out, size_t size);
