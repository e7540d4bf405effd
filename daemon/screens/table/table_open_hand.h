#pragma once

#include "daemon/screens/table/table_scene.h"

/*
 * The hand of a seat, written under or beside its player's name: the cards that the viewer may see,
 * the places of the others, and signs for what the holder was told about a card.
 */
enum open_hand_form {
    OPEN_HAND_SHORT, /* "5Ev 3To@CER" in one or more rows */
    OPEN_HAND_NAMED, /* one row with the suits' full names: "Evil Molly 5  Tom Dire 3@" */
    OPEN_HAND_LIST,  /* full names, one card in each row: "2 Tom Dire 3@" */
};

/* The visible cards of a hand, in the order in which they are drawn: all of them, or the top card
 * of each column. */
struct open_hand {
    uint8_t seat;
    enum open_hand_form form;
    uint8_t count;
    uint8_t slots[SLOTS_MAX];
    uint8_t under[SLOTS_MAX]; /* for each shown card: how many cards lie below it */
};

/* True if the hand is drawn beside its player's name, because the view shows some of its cards or
 * marks on them. */
bool open_hand_is_shown(const struct scene *scene, uint8_t seat);

/* Collects the cards to draw, and chooses the form: full names if they fit `width` columns and
 * `rows` rows, otherwise letters. count is 0 if the hand is not shown. */
struct open_hand open_hand_collect(const struct scene *scene, uint8_t seat, int width, int rows);

/* Writes one row of the hand, from the card at `first_place` on, in at most `width` columns;
 * returns the place of the first card of the next row. */
uint8_t open_hand_write_row(const struct scene *scene, const struct open_hand *hand,
                            uint8_t first_place, int width, struct text *out);

/* Returns the most columns that a hand in the short form takes in one row, with all its signs. */
int open_hand_measure_row(const struct scene *scene, const struct open_hand *hand);

/* Returns the number of rows that the hand takes at this width. */
int open_hand_count_rows(const struct scene *scene, const struct open_hand *hand, int width);
