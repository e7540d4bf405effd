#pragma once

#include "tests/e2e/terminal.h"

#include <stdbool.h>
#include <stddef.h>

/* Two people, Ada and Bob, at a table for four. */

/* Ada opens a table with a short game, Bob sits down, two bots take the other seats, and the game
 * begins. */
void sitting_begin(struct terminal *ada, struct terminal *bob);

/* The same without starting the game: only Ada's key `s` is missing. */
void sitting_open(struct terminal *ada, struct terminal *bob);

#define SITTING_CARDS_MAX 16
#define SITTING_CARD_MAX 16

struct sitting_cards {
    size_t count;
    char names[SITTING_CARDS_MAX][SITTING_CARD_MAX];
};

/* The cards of the person at the bottom of the screen, read from the last row that shows a
 * frame. */
struct sitting_cards sitting_cards(struct terminal *person);

bool sitting_has_card(const struct sitting_cards *cards, const char *name);

/* Plays for the other person until it is this person's turn and no move of theirs is on its way. */
void sitting_until_asked(struct terminal *person, struct terminal *other);
