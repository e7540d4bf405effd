#ifndef TESTS_E2E_PLAY_H
#define TESTS_E2E_PLAY_H

#include "tests/e2e/terminal.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Playing by what the screen shows, whatever the game: when it is one's turn, the first card,
 * number, choice or thing to say in brackets is made by its key.
 */

/* Presses the key of one move if the screen offers one; true when it did. */
bool play_move(struct terminal *player);

/* Plays for all of them (NULL-ended) until the first one's screen shows the words; fails the test
 * when that takes longer than limit_ms. */
void play_until(struct terminal *const *players, const char *words, long limit_ms);

/* The same; `watch` sees each player's screen before a key is pressed there. May be NULL. */
typedef void play_watcher(void *context, struct terminal *player);
void play_and_watch(struct terminal *const *players, const char *words, long limit_ms,
                    play_watcher *watch, void *context);

/* The row that says what is asked of the player; false while the screen offers no
 * move, or shows the trick before. */
bool play_prompt(struct terminal *player, char *out, size_t size);

#endif
