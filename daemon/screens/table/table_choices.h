#pragma once

#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/screen.h"
#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The moves that are not made by pointing at a card: bids, passes, orders. They come from the view
 * and the game's labels alone. If every label is a number, the forbidden numbers in between are
 * listed too, as are unavailable moves that the game lists: choosing an unavailable move shows why
 * it is not allowed.
 */
#define CHOICES_MAX MOVES_MAX
#define CHOICE_KEY_MAX 8

enum choice_keys {
    CHOICE_NUMBERS, /* the person types the number in the label, or both numbers: "3", "3,11" */
    CHOICE_INDEX,   /* the person types the choice's position in the list, from 1 */
    CHOICE_GRID,    /* the person types the card's value, in the selected row */
    CHOICE_LETTERS, /* the person types a letter, because digits select cards of the hand */
};

struct choices {
    uint8_t count;
    uint8_t moves[CHOICES_MAX];
    char typed[CHOICES_MAX][CHOICE_KEY_MAX]; /* for each move: the text that the person types */
    enum choice_keys keys;
    bool has_pairs; /* some labels consist of two numbers */
    /* number of cards in a row of the grid, which has one row per suit; 0 unless the choices are
     * cards, equally many of each suit */
    uint8_t across;
    bool has_pointing; /* cards of the hand can be selected too */
};

void choices_collect(const struct game_view *view, struct choices *out);

/* Where a choice was last drawn, on the whole screen; width 0: nowhere. */
struct choice_spot {
    uint8_t move;
    int16_t row, column, width;
};

/* The text being typed, and the selected choice. */
struct choice_cursor {
    int selected;                     /* index of the selected choice; -1: none */
    bool is_suggested;                /* the game has selected it, not the player */
    bool is_named;                    /* the last key was the first Enter on a suggested choice */
    int across;                       /* number of choices in a row at the last draw, at least 1 */
    int top;                          /* index of the first row shown */
    char typed[CHOICE_KEY_MAX];       /* the text typed so far */
    char refused[CHOICE_KEY_MAX + 1]; /* after CHOICE_REFUSED: the text that is no choice */
    struct choice_spot spots[CHOICES_MAX]; /* where each choice was drawn, for clicks */
};

/* Returns a cursor without typed text and without a selection. */
struct choice_cursor choices_make_empty_cursor(void);

enum choice_result {
    CHOICE_IGNORED,
    CHOICE_TAKEN,   /* the key was used, but no move is chosen yet */
    CHOICE_MADE,    /* *move was chosen; it may be illegal */
    CHOICE_REFUSED, /* no choice begins with what was typed; the text typed before stays */
};

/* True if the text typed for one choice is the beginning of another choice's text: Enter then ends
 * it. */
bool choices_have_open_keys(const struct choices *choices);

/* Handles a key, and notes whether the player has selected a choice. A typed number chooses at once
 * if no other choice's key begins with it and all choices are in one row; otherwise Enter chooses.
 * A click chooses at once. */
enum choice_result choices_handle_key(const struct choices *choices, struct choice_cursor *cursor,
                                      const struct press *press, uint8_t *move);

/* Tells whether the typed text is a choice's whole key, the beginning of that key, or neither. If a
 * key has two numbers, they may be typed in either order. */
enum key_match {
    KEY_NO,
    KEY_BEGUN,
    KEY_WHOLE,
};
enum key_match choices_match_key(const char *key, const char *typed);
