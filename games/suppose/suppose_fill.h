#pragma once

#include "games/suppose/suppose.h"

/*
 * Counts the ways to fill one hand after all hands have been passed, and draws one of them. The
 * colours of the hand lie together, and each colour is sorted. The viewer knows the cards of some
 * slots: those that the viewer sees, and those from which cards were played. The remaining slots
 * hold unseen cards.
 *
 * Every way counts as often as there are deals and orders that lead to it: an order of k colours is
 * one of k! possible orders, and either of two equal cards may be the one that lies here, unless
 * both lie in the same hand. First all ways are counted (each colour's cards from right to left,
 * then the colours from right to left). Then a way is drawn from left to right, each step in
 * proportion to the number of ways that continue from it. So a draw is exact except for rounding in
 * the counts.
 */

#define SUPPOSE_FILL_DRAWS 3 /* number of cases: 0, 1 or 2 copies of a card were drawn */

struct suppose_fill {
    uint8_t slots[SUPPOSE_SLOTS]; /* the card that is or was in the slot, or SLOT_HIDDEN */
    uint8_t unseen[SUPPOSE_FACES];
    uint8_t known[SUPPOSE_FACES]; /* number of copies in this hand that the viewer knows, played or
                                     seen */
    /* In these tables, the first index is a colour, the second the slot after the colour's last
     * card. `reach` is the first slot in which the colour's cards can begin. `begun` has, by the
     * slot in which they begin, the number of ways to fill the slots up to the second index.
     * `after` has the same number when a given card lies just before the slot, by that card's value
     * and the number of its copies drawn. */
    uint8_t reach[SUPPOSE_COLOURS][SUPPOSE_SLOTS + 1];
    float begun[SUPPOSE_COLOURS][SUPPOSE_SLOTS + 1][SUPPOSE_SLOTS];
    float after[SUPPOSE_COLOURS][SUPPOSE_SLOTS + 1][SUPPOSE_SLOTS + 1][SUPPOSE_VALUES]
               [SUPPOSE_FILL_DRAWS];
    /* The number of ways to fill the slots from a given slot to the end, by the set of colours to
     * its left. */
    float ways[SUPPOSE_SLOTS + 1][1U << SUPPOSE_COLOURS];
};
