#pragma once

#include "games/game.h"

/*
 * Oh Hell (RULES.md). The files: the rules (oh_hell.c), texts for people (oh_hell_face.c), the
 * story of a table (oh_hell_face.c), claims (oh_hell.c), and what a net sees
 * (oh_hell_encode.c). This header is for these files and their tests.
 */

enum oh_hell_phase {
    OH_HELL_BID,
    OH_HELL_PLAY,
};

/* Moves: a card's number plays that card; bids are in the second 64-bit word of a move set. */
#define OH_HELL_BID_FIRST 64
#define OH_HELL_TOP_MAX 10

enum oh_hell_option {
    OH_HELL_LENGTH,
    OH_HELL_SCORING,
};

enum oh_hell_scoring {
    OH_HELL_POSITIVE,
    OH_HELL_NEUTRAL,
    OH_HELL_NEGATIVE,
};

struct oh_hell {
    struct table_state table;
    uint8_t length;  /* index of the value of the option `length` */
    uint8_t scoring; /* enum oh_hell_scoring */
    uint8_t dealer;
    uint8_t turnup; /* the card turned up for trumps */
    uint8_t trump;  /* the trump suit: the suit of the card turned up */
    uint8_t bid_sum;
};

/* The number of cards dealt to each of `players` players in round number `round` (from 1). */
uint8_t oh_hell_hand_size(uint8_t length, uint8_t players, uint8_t round);
uint8_t oh_hell_round_count(uint8_t length, uint8_t players);

/* The points for a round with this bid and this number of tricks taken. */
int16_t oh_hell_points(uint8_t scoring, uint8_t bid, uint8_t tricks);

/* What views tell besides what the views of all games tell (struct info_def). */
struct oh_hell_known {
    uint8_t dealer;
    uint8_t size;   /* the number of cards dealt to each hand */
    uint8_t turnup; /* the card turned up */
};

static inline const struct oh_hell_known *oh_hell_known(const struct game_view *view)
{
    return (const void *)view->info;
}

/* The bid that the viewer must not make; BID_NONE when every bid is allowed. Only the last bidder
 * has a forbidden bid. */
int8_t oh_hell_forbidden_bid(const struct game_view *view);

/* See encode_traits.reopen_bidding. */
void oh_hell_reopen_bidding(void *state_bytes);

extern const struct encode_traits oh_hell_encode;
extern const struct game_face oh_hell_face;
