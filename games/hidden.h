#ifndef GAMES_HIDDEN_H
#define GAMES_HIDDEN_H

#include "games/card.h"
#include "games/random.h"

#include <stdbool.h>
#include <stdint.h>

#define HIDDEN_GROUPS_MAX 8 /* the seats, and the cards nobody was dealt */
#define HIDDEN_SETS_MAX 48
#define HIDDEN_CARDS_MAX 80

/* Distributes unseen cards at random: cards[i] lies in group groups[i], and no card of a suit in
 * bans[g] (bit s: suit s) may lie in group g. Every arrangement that obeys is equally likely.
 * False, with cards in some order, when none does. */
bool hidden_shuffle(const struct deck_def *deck, uint8_t *cards, const uint8_t *groups,
                    uint8_t count, const uint8_t bans[HIDDEN_GROUPS_MAX],
                    struct quick_random *random);

/* The same with bans on single cards: none of bans[g] may lie in group g, below HIDDEN_SETS_MAX.
 * The arrangements are only about equally likely: those that few swaps lead to come too rarely. */
bool hidden_shuffle_sets(uint8_t *cards, const uint8_t *groups, uint8_t count,
                         const struct card_set *bans, uint8_t group_count,
                         struct quick_random *random);

#endif
