#ifndef GAMES_SUPPOSE_SUPPOSE_FILL_H
#define GAMES_SUPPOSE_SUPPOSE_FILL_H

#include "games/suppose/suppose.h"

/*
 * The ways in which one hand in play can be filled. Its colours lie together, each sorted. Some of
 * its slots the viewer sees, some are gaps that the cards played from it left in an order the view
 * does not tell, and the rest holds unseen cards.
 *
 * Every way counts as often as there are deals and orders that lead to it: an order of k colours
 * was one of k! that could be chosen, and of two equal cards either may be the one that lies here,
 * unless both lie in the same hand. All ways are counted first (a colour's cards from right to
 * left, then the colours from right to left); then a way is drawn from the left, each step in
 * proportion to the ways that go on from it. So a draw is exact but for the rounding of the counts.
 */

#define SUPPOSE_FILL_DRAWS 3 /* 0 to 2 copies of a card drawn */

/* A card here is colour * 6 + how many values of the colour lie left of it: its face when values
 * rise from left to right. */
struct suppose_fill {
    bool rises;
    uint8_t slots[SUPPOSE_SLOTS]; /* the card, or what else is there */
    uint8_t unseen[SUPPOSE_FACES];
    uint8_t known[SUPPOSE_FACES]; /* copies of this hand that the viewer knows, played or seen */
    uint8_t played[SUPPOSE_COLOURS][SUPPOSE_SLOTS]; /* from left to right */
    uint8_t played_count[SUPPOSE_COLOURS];
    uint8_t gaps_before[SUPPOSE_SLOTS + 1];
    /* A colour whose cards end before a slot: the first slot it can reach to, the ways of its cards
     * from a slot on when none lie before it, and when that card does, of which so many copies were
     * drawn. */
    uint8_t reach[SUPPOSE_COLOURS][SUPPOSE_SLOTS + 1];
    float begun[SUPPOSE_COLOURS][SUPPOSE_SLOTS + 1][SUPPOSE_SLOTS];
    float after[SUPPOSE_COLOURS][SUPPOSE_SLOTS + 1][SUPPOSE_SLOTS + 1][SUPPOSE_VALUES]
               [SUPPOSE_FILL_DRAWS];
    /* The ways of the slots from this one on, with these colours before it. */
    float ways[SUPPOSE_SLOTS + 1][1U << SUPPOSE_COLOURS];
};

/* Counts the ways to fill the seat's hand, given how many cards of each face are unseen. The view
 * is one after the pass that sample_check accepts. */
void suppose_fill_count(struct suppose_fill *fill, const struct game_view *view, uint8_t seat,
                        const uint8_t unseen[SUPPOSE_FACES]);

/* Draws a way that leaves the cards drawn for other hands from the same unseen ones: `drawn` has
 * how many of each face, and this hand's are added. All ways of all hands that do not take a card
 * twice are as likely as they count. False, with `drawn` unspecified, when the way cannot be or is
 * to be drawn again together with the other hands'. */
bool suppose_fill_draw(const struct suppose_fill *fill, struct quick_random *random,
                       uint8_t drawn[SUPPOSE_FACES], uint8_t faces[SUPPOSE_SLOTS]) MUST_CHECK;

#endif
