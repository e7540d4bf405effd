#pragma once

#include "games/card.h"
#include "games/random.h"

#include <stdbool.h>
#include <stdint.h>

#define HIDDEN_SETS_MAX 48 /* greatest number of groups */

/* Distributes unseen cards at random as hidden_shuffle_with_suit_bans does, but with bans on single
 * cards: bans[g] is the set of cards that may not go to group g, for g below HIDDEN_SETS_MAX.
 * Arrangements are only approximately equally likely: an arrangement to which only few swaps lead
 * is drawn too rarely. */
bool hidden_shuffle_with_card_bans(uint8_t *cards, const uint8_t *groups, uint8_t count,
                                   const struct card_set *bans, uint8_t group_count,
                                   struct quick_random *random);
