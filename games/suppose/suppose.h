#pragma once

#include "games/game.h"

/*
 * Suppose (RULES.md). The files: the rules, the numbers for cards, orders and predictions, and the
 * hand as it is put in order on a screen (suppose.c), states sampled from views and the hands in
 * them (suppose_sample.c), texts for people and the story of a table (suppose_face.c), what a net
 * sees (suppose_encode.c). This header is for these files and their tests.
 */

enum suppose_phase {
    SUPPOSE_PREPARE, /* players arrange a hand and then predict; nobody waits for another player */
    SUPPOSE_PLAY,
};

#define SUPPOSE_SEATS_MAX 4
#define SUPPOSE_COLOURS 4
#define SUPPOSE_VALUES 6
/* different cards; in struct suppose, the second copy of card c is c + 24 */
#define SUPPOSE_FACES 24
#define SUPPOSE_SLOTS 11

/* How moves are numbered: first come the slots to play, then the predictions, then the orders of
 * colours, which start a new 64-bit word of the move set. */
/* number of predictions: a prediction is one number from 0 to 11, or two of them */
#define SUPPOSE_PREDICTIONS 78
#define SUPPOSE_PREDICT_FIRST 50
#define SUPPOSE_ARRANGEMENTS 64 /* number of orders of the colours in a hand */
#define SUPPOSE_ARRANGE_FIRST 128
#define SUPPOSE_NONE 0xFF

/* The parts of a player's points for a round, and the one or two numbers of tricks that the player
 * predicted. */
enum suppose_part {
    SUPPOSE_PART_TRICKS,
    SUPPOSE_PART_BONUS,
    SUPPOSE_PART_FIRST,
    SUPPOSE_PART_SECOND, /* the second number predicted; -1 when there is only one */
    SUPPOSE_PARTS,
};

#define SUPPOSE_BONUS_ONE 5 /* points when a player's only predicted number is right */
#define SUPPOSE_BONUS_TWO 2 /* points when one of two predicted numbers is right */

struct suppose {
    struct table_state table;
    uint16_t held[SUPPOSE_SEATS_MAX]; /* bit i: slot i has not been played; 0 before the hands are
                                         passed */
    uint8_t arranged[SUPPOSE_SEATS_MAX]; /* the order of colours that each seat chose for the hand
                                            it arranged; SUPPOSE_NONE until then */
    uint8_t predicted[SUPPOSE_SEATS_MAX];
    uint8_t last_predicted[SUPPOSE_SEATS_MAX]; /* the predictions of the last scored round */
};

/* An order of colours is a number from 0 to 63. The orders of one set of colours have consecutive
 * numbers. */

/* Lists the colours of an order, from left to right. Returns how many there are. */
uint8_t suppose_list_colours_of_order(uint8_t colour_order, uint8_t colours[SUPPOSE_COLOURS]);

/* Returns the order with these colours; SUPPOSE_NONE when a colour occurs twice or does not
 * exist. */
uint8_t suppose_find_order_with_colours(const uint8_t *colours, uint8_t count);

/* Returns the orders that have exactly these colours. Bit a of the result stands for order a, bit c
 * of `colours` for colour c. */
uint64_t suppose_find_orders_of_colours(uint8_t colours);

/* A prediction is a number from 0 to 77: first come the predictions of one number of tricks (0 to
 * 11), then those of two. */

/* Lists the numbers of tricks in a prediction, ascending. Returns how many there are, 1 or 2. */
uint8_t suppose_list_predicted_numbers(uint8_t prediction, uint8_t tricks[2]);

/* Returns the bonus for a prediction when the left neighbour took `tricks_taken` tricks. */
uint8_t suppose_compute_bonus(uint8_t prediction, uint8_t tricks_taken);

/* What views tell besides what the views of all games tell (struct info_def). */
struct suppose_known {
    uint8_t start;      /* the seat that leads the round's first trick */
    uint8_t prediction; /* the viewer's own; SUPPOSE_NONE until then */
    uint8_t arranged;   /* the viewer's own order of colours; SUPPOSE_NONE until then */
    uint8_t last_predictions[SUPPOSE_SEATS_MAX + 1]; /* of the last scored round, by seat;
                                                        SUPPOSE_NONE after the last */
};

static inline const struct suppose_known *suppose_known(const struct game_view *view)
{
    return (const void *)view->info;
}

/* Whether the holder of a hand sees this slot: the first, the middle and the last of eleven. The
 * other players see the other slots. */
static inline bool suppose_holder_sees_slot(uint8_t slot)
{
    return slot % 5 == 0;
}

/* Lists the cards of the game in natural order, with the numbers that they have in struct suppose.
 * Returns how many there are. */
uint8_t suppose_list_cards(uint8_t player_count, uint8_t cards[2 * SUPPOSE_FACES]);

/* Returns the set of colours in a hand: bit c is set when the hand has a card of colour c. The hand
 * has card numbers of struct suppose. */
uint8_t suppose_get_colours_of_hand(const struct card_set *hand);

/* Sorts the cards of a hand by the given order of colours. Within a colour, values rise from the
 * holder's left to right. */
void suppose_sort_hand(const struct card_set *hand, uint8_t colour_order,
                       uint8_t cards[SUPPOSE_SLOTS]);

/* Gives a seat the hand that its right neighbour arranged, and marks which seats see each of its
 * cards, as the rules say. */
void suppose_give_arranged_hand(struct suppose *state, uint8_t seat,
                                const uint8_t cards[SUPPOSE_SLOTS]);

/* Returns the number of moves in one round: all players arrange, predict and play. */
unsigned suppose_count_moves_in_round(uint8_t seat_count);

bool suppose_sample_state(const struct game_view *view, struct quick_random *random,
                          void *state_bytes);

extern const struct deck_def suppose_deck;
extern const struct encode_traits suppose_encode;
extern const struct game_face suppose_face;
