#ifndef GAMES_SAMPLE_H
#define GAMES_SAMPLE_H

#include "games/hidden.h"
#include "games/table.h"

/*
 * The shared half of every game's `sample`: from a view, which may come from outside and be
 * nonsense, to dealt hands that fit it. The game then makes the public moves of the round once
 * more, which both rebuilds the state and proves the view sound.
 */

/* The cards of the round whose place the deal decided, and who cannot hold what. */
struct sample_pool {
    const struct deck_def *deck;
    uint8_t cards[HIDDEN_CARDS_MAX];
    uint8_t count;
    uint8_t bans[HIDDEN_GROUPS_MAX]; /* by seat, bit s: none of suit s; the last: undealt cards */
};

/* Whether a view is well formed: numbers within bounds, one play a seat and trick, as many gaps in
 * a hand as cards its seat has played. */
bool sample_check(const struct game_view *view);

/* A seed of its own for the deals to come. */
void sample_seed(struct quick_random *random, uint8_t seed[SEED_BYTES]);

/* Where suit must be followed, who did not holds no more of the suit led: adds these bans. A card
 * of no suit tells nothing: it may be played at any time. */
void sample_voids(const struct game_view *view, struct sample_pool *pool);

/* Takes a card whose place is known out of the pool, or one of its copies there, and returns which;
 * CARD_NONE when there is none. */
uint8_t sample_take(struct sample_pool *pool, uint8_t card);

/* Gives every seat a full hand as dealt: cards the viewer knows in their slots, played ones in the
 * gaps, the rest of the pool at random elsewhere. GAME_BAD_VIEW when the pool does not allow it. */
enum game_result sample_hands(const struct game_view *view, struct sample_pool *pool,
                              struct quick_random *random, struct table_state *table) MUST_CHECK;

/* The play number `index` of the round, past tricks first; false when there are not so many. */
bool sample_play(const struct game_view *view, uint8_t index, struct view_play *play) MUST_CHECK;

/* Takes over what the round's moves do not rebuild (step, scores, last trick), once they have been
 * made. GAME_BAD_VIEW when the table does not stand where the view says. */
enum game_result sample_finish(const struct game_view *view, struct table_state *table) MUST_CHECK;

#endif
