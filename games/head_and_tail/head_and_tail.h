#ifndef GAMES_HEAD_AND_TAIL_HEAD_AND_TAIL_H
#define GAMES_HEAD_AND_TAIL_HEAD_AND_TAIL_H

#include "games/table.h"

/*
 * Head & Tail (RULES.md), split over four files: the rules (head_and_tail.c), what tricks are worth
 * (head_and_tail_tally.c), what people read (head_and_tail_face.c) and the careful policy
 * (head_and_tail_careful.c). Shared by these and their tests.
 */

enum head_and_tail_phase {
    HEAD_AND_TAIL_PLAY,
};

/* Cards: four suits of 2 to king, then the betting cards by seat. Moves: a card's number plays it.
 */
#define HEAD_AND_TAIL_RANKS 12
#define HEAD_AND_TAIL_BETS 48

/* What a round is worth. */
#define HEAD_AND_TAIL_LOSS 3     /* for being head or tail */
#define HEAD_AND_TAIL_HEAD_BET 1 /* for a betting card in a head's tricks */
#define HEAD_AND_TAIL_TAIL_BET 2 /* for one in a tail's tricks */

struct head_and_tail {
    struct table_state table;
    uint8_t dealer;
    uint8_t limit; /* a total that far from 0 ends the game */
};

/* What a score row's points are made of, each with its sign. */
enum head_and_tail_part {
    HEAD_AND_TAIL_PART_HEAD,
    HEAD_AND_TAIL_PART_TAIL,
    HEAD_AND_TAIL_PART_BET_ON_HEAD,
    HEAD_AND_TAIL_PART_BET_ON_TAIL,
    HEAD_AND_TAIL_PARTS,
};

/* The tricks of a round so far, by the seat that took them. */
struct head_and_tail_tally {
    uint8_t tricks[SEATS_MAX];
    uint8_t highs[SEATS_MAX]; /* sum of the tricks' highest ranks */
    uint8_t lows[SEATS_MAX];  /* sum of their lowest */
    uint8_t bets[SEATS_MAX];  /* bit s: the betting card of seat s lies there */
};

static inline bool head_and_tail_is_bet(uint8_t card)
{
    return card >= HEAD_AND_TAIL_BETS;
}

/* A card's rank: 2 to 13, 1 for a betting card. */
uint8_t head_and_tail_rank(uint8_t card);

/* The highest and the lowest rank of a trick's cards. */
uint8_t head_and_tail_high(const uint8_t *cards, uint8_t count);
uint8_t head_and_tail_low(const uint8_t *cards, uint8_t count);

/* Adds a trick to what its winner took. */
void head_and_tail_tally_add(struct head_and_tail_tally *tally, uint8_t winner,
                             const uint8_t *cards, uint8_t count);

/* The tricks finished in the view's round. */
void head_and_tail_tally_view(const struct game_view *view, struct head_and_tail_tally *tally);

/* Who is head, and who is tail, of the tricks so far: bit s for seat s, tied ones all. */
uint8_t head_and_tail_heads(const struct head_and_tail_tally *tally, uint8_t seats);
uint8_t head_and_tail_tails(const struct head_and_tail_tally *tally, uint8_t seats);

/* What a finished round is worth to each seat, in its parts and in all. */
void head_and_tail_parts(const struct head_and_tail_tally *tally, uint8_t seats,
                         int16_t parts[SCORE_PARTS_MAX][SEATS_MAX]);
void head_and_tail_points(const struct head_and_tail_tally *tally, uint8_t seats,
                          int16_t points[SEATS_MAX]);

extern const struct deck_def head_and_tail_deck;
extern const struct game_face head_and_tail_face;
uint8_t head_and_tail_careful(const struct game_view *view, const struct game_config *config,
                              struct quick_random *random);

#endif
