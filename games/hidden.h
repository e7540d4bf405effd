#pragma once

#include "games/card.h"
#include "games/random.h"

#include <stdbool.h>
#include <stdint.h>

#define HIDDEN_GROUPS_MAX 8 /* the seats, and one group for undealt cards */
#define HIDDEN_CARDS_MAX 80

/* Shuffles unseen cards among the places where they may lie. Place i belongs to group groups[i]: a
 * seat's hand, or the undealt cards. Afterwards cards[i] lies in place i, and group g has no card
 * of a suit in bans[g] (bit s: suit s). Every arrangement that obeys the bans is equally likely.
 * Returns false, with the cards in any order, when no arrangement obeys them. */
bool hidden_shuffle_with_suit_bans(const struct deck_def *deck, uint8_t *cards,
                                   const uint8_t *groups, uint8_t count,
                                   const uint8_t bans[HIDDEN_GROUPS_MAX],
                                   struct quick_random *random);
