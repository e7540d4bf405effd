#pragma once

#include "daemon/screens/drawing/draw.h"
#include "games/view.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The areas of the screen in which the parts of a table are drawn. Players sit clockwise around the
 * trick, so the left neighbour sits to the left. Place 0 is at the bottom, place i is the i-th seat
 * clockwise from it. Nothing overlaps, and nothing leaves the body.
 */

struct table_layout_needs {
    uint8_t seats;       /* number of players: 2 … SEATS_MAX */
    bool has_hand;       /* the viewer has cards, which are drawn at the bottom */
    int hand_rows;       /* height of the hand, with its row of keys */
    int hand_rows_small; /* height of the hand when drawn as lines without frames, on small screens
                          */
    int prompt_rows;     /* 1 … 3 */
    bool has_lesson;     /* a lesson tells something from time to time */
    int lesson_rows;     /* height of what the lesson tells now above the prompt; 0: nothing */
    int fact_rows;       /* height of the game's board below the headline, if there is room */
    int card_width;      /* width of a card in the trick, with its frame: 6 … 10 */
    int card_width_named[2]; /* width of a card with its suit's full name in one row, and in a
                                card of five rows; 0: full names are not shown */
    int top_rows;            /* height that the seats at the top need; 0: not known yet */
    uint8_t wide_places;     /* bit i: in a list, place i needs two lines */
    bool has_open_hands;     /* cards of other players are shown under the players' names */
    int open_hand_width; /* the columns that an open hand needs in one row; 0: any width is enough
                          */
    int open_hand_rows;  /* the rows of an open hand with one card in each row; 0: not shown so */
    bool has_chat;       /* rows of chat at the bottom, if it is not at the side */
    bool has_side;       /* chat and score sheet may be drawn beside the table */
};

struct table_spot {
    int row, column;
};

struct table_layout {
    bool is_list; /* the area is too small for a round table: each player has one line, and no cards
                     are drawn */
    bool is_hand_small; /* the hand is drawn in hand_rows_small */
    struct area header; /* the header: one row */
    struct area facts;  /* the game's board; height 0: hidden, drawn at the side, or no room */
    struct area felt;   /* players and trick; lists and results are drawn over it */
    struct area centre; /* free cells in the middle of the trick: at most two rows, perhaps none */
    struct area board;  /* the area between the seats, where the played cards lie */
    struct area seats[SEATS_MAX];  /* for each place: where the seat is drawn */
    bool is_seat_right[SEATS_MAX]; /* for each place: the seat's text is right-aligned */
    bool is_seat_centred[SEATS_MAX];
    bool is_tight; /* seats are so close that only the rows of hands use all of their columns */
    struct table_spot
        cards[SEATS_MAX]; /* for each place: where the card is drawn; unset if is_list */
    int card_width, card_rows;
    struct area lesson; /* what a lesson tells */
    struct area prompt; /* the prompt: one row or more */
    struct area hand;   /* the viewer's hand; height 0: the viewer has no cards */
    struct area status; /* the status line: what just happened; height 0: a lesson needs its row */
    struct area chat;   /* chat below the table; height 0: chat is in `side`, or there is no room */
    struct area side;   /* the pane beside the table; width 0: there is none */
};

void table_layout_make(const struct area *body, const struct table_layout_needs *needs,
                       struct table_layout *out);
