#pragma once

#include "tests/e2e/terminal.h"

#include <stdbool.h>
#include <stddef.h>

/* Two people, Ada and Bob, at a table for four. */

/* Ada opens a table with a short game, Bob sits down, two bots take the other seats, and the game
 * begins. */
void pair_begin_game(struct terminal *ada, struct terminal *bob);

/* Like pair_begin_game, but does not press the key `s`, with which Ada would start the game. */
void pair_open_table(struct terminal *ada, struct terminal *bob);

#define PAIR_CARDS_MAX 16
#define PAIR_CARD_MAX 16

struct pair_cards {
    size_t count;
    char names[PAIR_CARDS_MAX][PAIR_CARD_MAX];
};

/* Reads the hand of the person at the terminal, which is in the last row that shows a frame. */
struct pair_cards pair_read_cards(struct terminal *person);

bool pair_has_card(const struct pair_cards *cards, const char *name);

/* Plays for `other` until it is the turn of `person` and the house has answered every move of
 * `other`. */
void pair_play_until_turn_of(struct terminal *person, struct terminal *other);
