#pragma once

#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/screen.h"
#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The moves that are not made by pointing at a card, of one's own or another's: bids, passes,
 * orders. Taken from the view and the game's labels alone. Where every label is a number the
 * numbers in between that are not allowed are listed too, and so is what a game still lists of
 * what is gone: choosing one tells why.
 */
#define CHOICES_MAX MOVES_MAX
#define CHOICE_KEY_MAX 8

enum choice_keys {
    CHOICE_NUMBERS, /* typing the number that is the label, or the two: "3", "3,11" */
    CHOICE_INDEX,   /* typing the place in the list, from 1 */
    CHOICE_GRID,    /* typing the card's value, in the row of the one pointed at */
    CHOICE_LETTERS, /* a letter: the digits belong to the hand */
};

struct choices {
    uint8_t count;
    uint8_t moves[CHOICES_MAX];
    char typed[CHOICES_MAX][CHOICE_KEY_MAX]; /* what to type */
    enum choice_keys keys;
    bool has_pairs;    /* of numbers */
    uint8_t across;    /* all are cards, so many of each suit in turn: a row for each; else 0 */
    bool has_pointing; /* cards of the hand can be pointed at as well */
};

void choices_make(const struct game_view *view, struct choices *out);

/* Where a choice was drawn last, on the whole screen; width 0: nowhere. */
struct choice_spot {
    uint8_t move;
    int16_t row, column, width;
};

/* What is being typed or pointed at. */
struct choice_cursor {
    int selected;                          /* index, -1 for none */
    int across;                            /* choices in a row at the last draw, at least 1 */
    int top;                               /* first row shown */
    char typed[CHOICE_KEY_MAX];            /* so far */
    struct choice_spot spots[CHOICES_MAX]; /* by index, for clicks */
};

/* Nothing typed, nothing pointed at. */
struct choice_cursor choice_cursor_none(void);

enum choice_result {
    CHOICE_IGNORED,
    CHOICE_TAKEN, /* the key was used, nothing is decided */
    CHOICE_MADE,  /* *move is meant; it need not be legal */
};

/* Digits act at once when no other number begins with them and all stand in one row, else Enter
 * does; a click does. */
enum choice_result choices_key(const struct choices *choices, struct choice_cursor *cursor,
                               const struct press *press, uint8_t *move);
