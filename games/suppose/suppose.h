#ifndef GAMES_SUPPOSE_SUPPOSE_H
#define GAMES_SUPPOSE_SUPPOSE_H

#include "games/sample.h"
#include "games/table.h"

/*
 * Suppose (RULES.md): the rules (suppose.c), cards, orders and predictions as numbers
 * (suppose_choice.c), states that fit a view (suppose_sample.c) with hands that fit it
 * (suppose_fill.h), what people read (suppose_face.c) and the careful policy (suppose_careful.c).
 * Shared by these and their tests.
 */

enum suppose_phase {
    SUPPOSE_PREPARE, /* arrange, then predict, each seat waiting for nobody */
    SUPPOSE_PLAY,
};

#define SUPPOSE_SEATS_MAX 4
#define SUPPOSE_COLOURS 4
#define SUPPOSE_VALUES 6
#define SUPPOSE_FACES 24 /* names; a state's number for the second copy is that much higher */
#define SUPPOSE_SLOTS 11

/* Moves: slots to play come first; predictions end where the orders' word of a set begins. */
#define SUPPOSE_PREDICTIONS 78 /* one number of 0 to 11, or two */
#define SUPPOSE_PREDICT_FIRST 50
#define SUPPOSE_ARRANGEMENTS 64 /* orders of some of the colours */
#define SUPPOSE_ARRANGE_FIRST 128
#define SUPPOSE_NONE 0xFF

/* What a row's points are made of, and for which predictions. */
enum suppose_part {
    SUPPOSE_PART_TRICKS,
    SUPPOSE_PART_BONUS,
    SUPPOSE_PART_FIRST,
    SUPPOSE_PART_SECOND, /* -1 when there is one prediction only */
    SUPPOSE_PARTS,
};

#define SUPPOSE_BONUS_ONE 5 /* the only prediction is right */
#define SUPPOSE_BONUS_TWO 2 /* one of two is */

struct suppose {
    struct table_state table;
    uint8_t start;                       /* who leads the round's first trick */
    uint16_t held[SUPPOSE_SEATS_MAX];    /* bit i: slot i is not played; none before the pass */
    uint8_t arranged[SUPPOSE_SEATS_MAX]; /* by arranging seat, SUPPOSE_NONE before */
    uint8_t predicted[SUPPOSE_SEATS_MAX];
    uint8_t last_predicted[SUPPOSE_SEATS_MAX]; /* of the round scored last */
};

/* Orders of colours, 0 to 63: each set of colours has its own ones side by side. */

/* The colours of an order, left to right; returns how many. */
uint8_t suppose_order(uint8_t arrangement, uint8_t colours[SUPPOSE_COLOURS]);

/* The order of these colours, SUPPOSE_NONE when one stands there twice or is none. */
uint8_t suppose_order_of(const uint8_t *colours, uint8_t count);

/* Bit a: order a has exactly the colours of the set (bit c: colour c). */
uint64_t suppose_orders(uint8_t colours);

/* Predictions, 0 to 77: 0 to 11 alone, then the pairs. */

/* The numbers of tricks predicted, ascending; returns how many, 1 or 2. */
uint8_t suppose_prediction(uint8_t prediction, uint8_t tricks[2]);

/* The prediction of these, SUPPOSE_NONE unless one or two, ascending, below 12. */
uint8_t suppose_prediction_of(const uint8_t *tricks, uint8_t count);

/* The bonus when the player predicted for took that many. */
uint8_t suppose_bonus(uint8_t prediction, uint8_t taken);

/* Reads what a view tells in an order or a prediction; SUPPOSE_NONE for null and nonsense. */
uint8_t suppose_read_order(const struct field *field);
uint8_t suppose_read_prediction(const struct field *field);

void suppose_write_order(struct fields *out, const char *key, uint8_t arrangement);
void suppose_write_prediction(struct fields *out, const char *key, uint8_t prediction);
void suppose_move_write(uint8_t move, struct text *out);

/* The cards of the game in natural order, as a state numbers them; returns how many. */
uint8_t suppose_deck_fill(uint8_t players, uint8_t cards[2 * SUPPOSE_FACES]);

/* Bit c: the set of a state's cards has colour c. */
uint8_t suppose_colours(const struct card_set *hand);

/* Whether a colour's values rise from left to right as the holder sees them. In the oldest format
 * they fall. */
static inline bool suppose_rises(uint8_t format)
{
    return format > GAME_FORMAT_OLDEST;
}

/* The cards of a hand in an order that has all its colours: as passed on in that format. */
void suppose_sort(const struct card_set *hand, uint8_t arrangement, uint8_t format,
                  uint8_t cards[SUPPOSE_SLOTS]);

/* Gives a seat the hand its right neighbour arranged, seen by whom the rules say. */
void suppose_receive(struct suppose *state, uint8_t seat, const uint8_t cards[SUPPOSE_SLOTS]);

/* Whether holders see this slot of their hand, and the others do not. */
bool suppose_slot_is_own(uint8_t slot);

/* Moves made before the round, and what a game has of them: arranging, predicting, playing. */
unsigned suppose_round_moves(uint8_t seats);

void suppose_init(struct suppose *state, const struct game_config *config,
                  const uint8_t seed[SEED_BYTES]);
enum game_result suppose_apply(void *bytes, uint8_t seat, uint8_t move, const struct game_log *log);
enum game_result suppose_sample(const struct game_view *view, const struct game_config *config,
                                struct quick_random *random, void *bytes);

extern const struct deck_def suppose_deck;
extern const struct game_face suppose_face;
uint8_t suppose_careful(const struct game_view *view, const struct game_config *config,
                        struct quick_random *random);

#endif
