#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table_card.h"
#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The viewer's own cards as they lie in front of them. Open cards are sorted for the eye and close
 * ranks; where a card is hidden or marked its place matters and every slot stays where it is.
 */
enum hand_style {
    HAND_TALL,  /* rank, suit, rank on three lines */
    HAND_LONG,  /* suits by their whole names */
    HAND_SHORT, /* "T♥" */
    HAND_STACK, /* rank above suit */
    HAND_LINES, /* no frames */
};

struct hand_plan {
    uint8_t count;            /* places shown */
    uint8_t slots[SLOTS_MAX]; /* the slot at each place */
    bool keeps_slots;
    enum hand_style style;
    int inner; /* columns between the frames of a card */
    int rows;  /* all of it, the row of keys included */
};

/* The slots of a hand in the order they are shown; returns how many. *keeps_slots on entry: keep
 * every slot where it is, empty ones too; it becomes true when a card is hidden or marked. */
uint8_t hand_order(const struct game_view *view, uint8_t seat, bool *keeps_slots,
                   uint8_t slots[SLOTS_MAX]);

/* The same hand in two ways: cards with frames where they fit the width (else lines), and plain
 * lines for small screens. A spectator's are empty. */
struct hand_plans {
    struct hand_plan framed, lines;
};

/* keeps_slots: keep the slots' order whatever the cards (it was needed earlier in the round);
 * is_tall: there is room for three lines a card. The style depends on the deck and the number of
 * slots alone, so a hand keeps its look all round. */
void hand_plans_make(const struct game_view *view, const struct words *words, int width,
                     bool keeps_slots, bool is_tall, struct hand_plans *plans);

/* selected: a place, -1 for none. */
void hand_draw(const struct canvas *canvas, const struct area *area, const struct hand_plan *plan,
               const struct game_view *view, const struct words *words, int selected);

/* The key of a place: 1…9, 0, then A…E. */
char hand_key(int place);

/* The place a key means, -1 for none; not necessarily within the hand. */
int hand_place_of_key(uint32_t key);

/* The place at a cell of the area, -1 for none; slots: the view's slot_count. */
int hand_place_at(const struct area *area, const struct hand_plan *plan, int row, int column,
                  uint8_t slots);
