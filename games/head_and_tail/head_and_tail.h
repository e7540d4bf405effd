#pragma once

#include "games/game.h"

/*
 * Head & Tail (RULES.md). The files: the rules (head_and_tail.c), the score of tricks
 * (head_and_tail.c), texts for people (head_and_tail_face.c), the story of a table
 * (head_and_tail_face.c), claims (head_and_tail.c), what a net sees
 * (head_and_tail_encode.c). This header is for these files and their tests.
 */

enum head_and_tail_phase {
    HEAD_AND_TAIL_PLAY,
};

/* Cards: four suits from 2 to king, then the betting cards by seat. Moves: a card's number plays
 * that card. */
#define HEAD_AND_TAIL_RANKS 12
#define HEAD_AND_TAIL_BETS 48

/* How many points a player loses or gains in a round. */
#define HEAD_AND_TAIL_LOSS 3     /* points lost for being head or tail */
#define HEAD_AND_TAIL_HEAD_BET 1 /* points for the owner of a betting card that a head took */
#define HEAD_AND_TAIL_TAIL_BET 2 /* points for the owner of a betting card that a tail took */

struct head_and_tail {
    struct table_state table;
    uint8_t dealer;
    uint8_t limit; /* a total this far above or below 0 ends the game */
};

/* The parts that add up to a seat's points in a round. A part may be negative. */
enum head_and_tail_part {
    HEAD_AND_TAIL_PART_HEAD,
    HEAD_AND_TAIL_PART_TAIL,
    HEAD_AND_TAIL_PART_BET_ON_HEAD,
    HEAD_AND_TAIL_PART_BET_ON_TAIL,
    HEAD_AND_TAIL_PARTS,
};

/* The total above or below 0 at which a game with that config ends. */
int head_and_tail_limit(const struct game_config *config);

/* The tricks taken in a round so far, by seat. */
struct head_and_tail_tally {
    uint8_t tricks[SEATS_MAX];
    uint8_t highs[SEATS_MAX]; /* the sum of the highest ranks of the seat's tricks */
    uint8_t lows[SEATS_MAX];  /* the sum of the lowest ranks of the seat's tricks */
    uint8_t bets[SEATS_MAX];  /* bit s: the seat has taken the betting card of seat s */
};

/* The cards of the game with that number of players, betting cards included: bit c for card c. */
uint64_t head_and_tail_cards(uint8_t players);

static inline bool head_and_tail_is_betting_card(uint8_t card)
{
    return card >= HEAD_AND_TAIL_BETS;
}

/* Adds a trick to the tally of its winner. */
void head_and_tail_tally_add_trick_of_view(struct head_and_tail_tally *tally,
                                           const struct view_trick *trick);

/* Tallies the finished tricks of the state's round. */
void head_and_tail_tally_from_state(const struct head_and_tail *state,
                                    struct head_and_tail_tally *tally);

/* Tallies the finished tricks of the view's round. */
void head_and_tail_tally_from_view(const struct game_view *view, struct head_and_tail_tally *tally);

/* The seats that are head, and the seats that are tail, by the tricks so far: bit s for seat s. All
 * tied seats are included. */
uint8_t head_and_tail_head_seats(const struct head_and_tail_tally *tally, uint8_t seat_count);
uint8_t head_and_tail_tail_seats(const struct head_and_tail_tally *tally, uint8_t seat_count);

/* The points of a finished round for each seat, in parts. */
void head_and_tail_fill_score_parts(const struct head_and_tail_tally *tally, uint8_t seat_count,
                                    int16_t parts[SCORE_PARTS_MAX][SEATS_MAX]);

/* The one fact that views tell besides what the views of all games tell, and which does not follow
 * from them. */
static inline uint8_t head_and_tail_dealer(const struct game_view *view)
{
    return view->info[0];
}

extern const struct deck_def head_and_tail_deck;
extern const struct encode_traits head_and_tail_encode;
extern const struct game_face head_and_tail_face;
