#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table_card.h"
#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The viewer's own cards. If all cards are open and unmarked, they are sorted without gaps.
 * Otherwise places matter, so every card stays in its slot.
 */
enum hand_style {
    HAND_TALL,       /* a framed card: rank, suit and rank on three lines */
    HAND_NAMED,      /* a framed card of three lines: the rank, the suit's full name, the rank */
    HAND_LONG,       /* a framed card: the suit's full name and the rank */
    HAND_SHORT,      /* "T♥" */
    HAND_STACK,      /* a framed card: the rank above the suit */
    HAND_ROW,        /* cards without frames in one row, with their keys above them */
    HAND_LINES,      /* cards without frames, each after its key */
    HAND_LONG_LINES, /* the same with the suits' full names */
};

struct hand_plan {
    uint8_t count;            /* number of slots that are shown, filled or empty */
    uint8_t slots[SLOTS_MAX]; /* for each shown place, from left to right: the number of the slot
                                 shown there */
    bool keeps_slots;
    bool has_no_keys; /* no keys stand at the cards: in this phase the keys choose no card */
    enum hand_style style;
    int inner;       /* number of columns inside the frame of a card */
    int rows;        /* number of rows of the whole hand, with the row of keys */
    uint16_t chosen; /* bit i: the card in slot i is chosen for the next turn, and is marked */
};

/* Lists the slots (places of cards) of a hand in the order in which they are shown; returns their
 * number. If *keeps_slots is true, no slot moves or is left out, even an empty one. *keeps_slots
 * becomes true if a card is hidden or marked. */
uint8_t hand_order_slots(const struct game_view *view, uint8_t seat, bool *keeps_slots,
                         uint8_t slots[SLOTS_MAX]);

/* Returns the place at which a hand that lies suit by suit is broken into lines: the line shows the
 * cards from place `first` to the one before the returned place; the cards from `end` on do not fit
 * the line. No suit is torn apart if that can be avoided, and all lines are about as long. slots:
 * the slots of the hand that are shown, `count` of them. */
uint8_t hand_choose_line_break(const struct view_slot *hand, const struct deck_def *deck,
                               const uint8_t slots[SLOTS_MAX], uint8_t count, uint8_t first,
                               uint8_t end);

/* Two forms of a hand. `framed`: cards with frames, or plain lines if frames do not fit the width.
 * `lines`: plain lines, for small screens. Both are empty for a spectator. */
struct hand_plans {
    struct hand_plan framed, lines;
};

/* Plans the viewer's hand in both forms. keeps_slots: all cards stay in their slots, as earlier in
 * the round; is_tall: there is room for cards of three lines. The style depends only on the deck
 * and the number of slots, so a hand looks the same during the whole round. */
void hand_make_plans(const struct game_view *view, const struct words *words, int width,
                     bool keeps_slots, bool is_tall, struct hand_plans *plans);

/* Draws the hand. selected_place is the position of the selected card among the shown ones; -1:
 * none. */
void hand_draw(const struct canvas *canvas, const struct area *area, const struct hand_plan *plan,
               const struct game_view *view, const struct words *words, int selected_place);

/* Returns the keyboard key that chooses the card at this place of the hand: 1…9, 0, then A…E. */
char hand_keyboard_key_of_place(int place);

/* Returns the number of the place in a hand that a typed key selects; -1 if the key selects none.
 * The hand may have fewer places. */
int hand_place_of_keyboard_key(uint32_t key);

/* Returns where a card of a hand in one row is drawn: the row of its first line, and the columns
 * inside its frame. For all styles but HAND_LINES. slot_count: the view's slot_count. */
struct area hand_find_cell(const struct area *area, const struct hand_plan *plan, int place,
                           int slot_count);

/* Returns the place of the hand that is drawn at that row and column of the screen; -1 if there is
 * none. slot_count: the view's slot_count. */
int hand_find_place_at(const struct area *area, const struct hand_plan *plan, int row, int column,
                       uint8_t slot_count);
