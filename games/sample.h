#pragma once

#include "games/hidden.h"
#include "games/table.h"

/*
 * The part of `sample` that all games share: it turns a view into dealt hands that fit the view.
 * The view may come from outside and be nonsense. The game then replays the public moves of the
 * round, which rebuilds the state and proves that the view is valid.
 */

/* The cards of the round that the deal placed at random, and which suits each seat cannot hold. */
struct sample_pool {
    const struct deck_def *deck;
    uint8_t cards[HIDDEN_CARDS_MAX];
    uint8_t count;
    uint8_t bans[HIDDEN_GROUPS_MAX]; /* by seat; bit s: the seat has no cards of suit s. The last
                                        entry stands for the undealt cards */
};

/* Whether a view is well formed: all numbers are within bounds, each seat plays once per trick, and
 * each hand has as many gaps as its seat has played cards. */
bool sample_check_view(const struct game_view *view);

/* Fills in a new random seed for future deals. */
void sample_draw_seed(struct quick_random *random, uint8_t seed[SEED_BYTES]);

/* Adds bans on suits, for games where players must follow suit: a seat that did not follow holds no
 * more cards of the suit led. Leading a card or playing a card without a suit proves nothing,
 * because both are allowed at any time. */
void sample_ban_void_suits(const struct game_view *view, struct sample_pool *pool);

/* Removes from the pool a card, or one of its copies, because its place is known. Returns which
 * copy was removed; CARD_NONE when the pool has none. */
uint8_t sample_take_card(struct sample_pool *pool, uint8_t card);

/* Gives every seat a full hand as dealt: cards the viewer knows go to their slots, played cards to
 * the gaps, and random cards of the pool to the other slots. GAME_BAD_VIEW when the pool does not
 * allow it. */
enum game_result sample_deal_hands(const struct game_view *view, struct sample_pool *pool,
                                   struct quick_random *random,
                                   struct table_state *table) MUST_CHECK;

/* Reads play number `index` of the round; plays of finished tricks come first. False when there are
 * fewer plays. */
bool sample_read_play(const struct game_view *view, uint8_t index,
                      struct view_play *play) MUST_CHECK;

/* Copies what replaying the round's moves does not rebuild (step, scores, last trick). Call it
 * after the moves have been made. GAME_BAD_VIEW when the table is not in the position the view
 * describes. */
enum game_result sample_copy_scores_and_last_trick(const struct game_view *view,
                                                   struct table_state *table) MUST_CHECK;
