#pragma once

#include "games/card.h"
#include "games/game.h"

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

#define HIDDEN_SETS_MAX 48 /* greatest number of groups */

/* Distributes unseen cards at random as hidden_shuffle_with_suit_bans does, but with bans on single
 * cards: bans[g] is the set of cards that may not go to group g, for g below HIDDEN_SETS_MAX.
 * Arrangements are only approximately equally likely: an arrangement to which only few swaps lead
 * is drawn too rarely. */
bool hidden_shuffle_with_card_bans(uint8_t *cards, const uint8_t *groups, uint8_t count,
                                   const struct card_set *bans, uint8_t group_count,
                                   struct quick_random *random);

/*
 * The part of a game's `sample` function that all games share: it turns a view into dealt hands
 * that fit the view. The view may come from outside and be invalid. The game then replays the
 * public moves of the round, which rebuilds the state and proves that the view is valid.
 */

/* The cards of the round that the deal placed at random, and the suits that each seat cannot
 * hold. */
struct sample_pool {
    const struct deck_def *deck;
    uint8_t cards[HIDDEN_CARDS_MAX];
    uint8_t count;
    uint8_t bans[HIDDEN_GROUPS_MAX]; /* by seat; bit s: the seat has no cards of suit s. The last
                                        entry stands for the undealt cards */
};

/* Whether a view is well formed: all numbers are within bounds, no seat plays twice in a trick, and
 * each hand has as many slots as all others and as many empty ones as its seat has played cards. If
 * the view tells slots, the empty slots are exactly those from which cards were played. */
bool sample_view_is_well_formed(const struct game_view *view);

/* Records the suits that seats can no longer hold, for games where players must follow suit: a seat
 * that did not follow has no more cards of the suit led. Leading a card or playing a card without a
 * suit proves nothing, because both are allowed at any time. */
void sample_record_void_suits(const struct game_view *view, struct sample_pool *pool);

/* Removes one copy of a card from the pool; called when the copy's place is known. Returns the
 * number of the removed copy; CARD_NONE when the pool has no copy. */
uint8_t sample_take_card(struct sample_pool *pool, uint8_t card);

/* Gives every seat all cards that it was dealt: cards that the viewer knows go to their slots,
 * played cards to the slots that are empty now, and random cards of the pool to the other slots.
 * False when the pool does not allow it. */
bool sample_deal_hands(const struct game_view *view, struct sample_pool *pool,
                       struct quick_random *random, struct table_state *table) MUST_CHECK;

/* Reads one play (a card and its player). Plays are numbered from 0 in the order of the round.
 * False when the round has fewer plays. */
bool sample_read_play(const struct game_view *view, uint8_t index,
                      struct view_play *play) MUST_CHECK;

/* Makes the round's plays in the state that begins with `table`. Plays that the rules have made by
 * themselves must be those of the view. For games in which a play's move is the card, or the slot
 * if the view tells it. False when a play is illegal. */
bool sample_replay_plays(const struct game_view *view, struct table_state *table) MUST_CHECK;
