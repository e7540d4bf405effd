#pragma once

#include "games/hidden.h"
#include "games/table.h"

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
 * each hand has as many empty slots as its seat has played cards. If the view tells slots, the
 * empty slots are exactly those from which cards were played. */
bool sample_view_is_well_formed(const struct game_view *view);

/* Fills `seed` with random bytes, for the deals of later rounds. */
void sample_draw_seed(struct quick_random *random, uint8_t seed[SEED_BYTES]);

/* Records the suits that seats can no longer hold, for games where players must follow suit: a seat
 * that did not follow has no more cards of the suit led. Leading a card or playing a card without a
 * suit proves nothing, because both are allowed at any time. */
void sample_record_void_suits(const struct game_view *view, struct sample_pool *pool);

/* Removes one copy of a card from the pool; called when the copy's place is known. Returns the
 * number of the removed copy; CARD_NONE when the pool has no copy. */
uint8_t sample_take_card(struct sample_pool *pool, uint8_t card);

/* Gives every seat all cards that it was dealt: cards that the viewer knows go to their slots,
 * played cards to the slots that are empty now, and random cards of the pool to the other slots.
 * GAME_BAD_VIEW when the pool does not allow it. */
enum game_result sample_deal_hands(const struct game_view *view, struct sample_pool *pool,
                                   struct quick_random *random,
                                   struct table_state *table) MUST_CHECK;

/* Reads one play (a card and its player). Plays are numbered from 0 in the order of the round.
 * False when the round has fewer plays. */
bool sample_read_play(const struct game_view *view, uint8_t index,
                      struct view_play *play) MUST_CHECK;

/* Copies from the view what replaying the round's moves does not rebuild: step, scores and last
 * trick. Call it after the replay. GAME_BAD_VIEW when the table is not in the position that the
 * view describes. */
enum game_result sample_copy_scores_and_last_trick(const struct game_view *view,
                                                   struct table_state *table) MUST_CHECK;
