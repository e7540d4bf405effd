#pragma once

#include "games/bots/worth.h"
#include "games/game.h"
#include "games/table.h"

/*
 * What a seat knows of a state, as the numbers of the inputs of a net (bots/net.h) that are on. The
 * encoder reads nothing that the seat may not know: states that look alike to the seat have the
 * same inputs.
 *
 * Cards are put in a canonical order, because the suits of most games differ only in name: suits
 * are sorted by their role in the round, then by how many cards of them the seat holds. Seats are
 * counted clockwise from the seat itself.
 */

#define ENCODE_ACTIVE_MAX 255
#define ENCODE_TRICK_NUMBERS 12 /* numbers of tricks that are told apart: from 0 on */
#define ENCODE_OUTPUTS_MAX 20   /* of one move */
#define ENCODE_WISHES 5
#define ENCODE_CHANCE_ONE 4096 /* the number that stands for a chance of 1 */
#define ENCODE_LEVELS 5        /* chances that a game tells of each slot of the own hand */

struct encoding {
    uint16_t active[ENCODE_ACTIVE_MAX]; /* the inputs that are on */
    uint16_t count;
    uint16_t inputs; /* the number of inputs encoded so far, on or off */
    uint32_t layout; /* a hash of the sizes of all groups of inputs: nets of another layout do not
                        fit */
    const struct game_def *game;
    const struct table_state *table;
    uint8_t me;                             /* the seat */
    uint8_t distance[SEATS_MAX];            /* of each seat from it, clockwise */
    uint8_t seats[SEATS_MAX];               /* the seat at each distance */
    uint8_t place[FACE_SUITS_MAX];          /* the canonical place of each suit */
    uint8_t suits[FACE_SUITS_MAX];          /* the suit at each place */
    uint8_t roles[FACE_SUITS_MAX];          /* by suit, set by the game: lower ones come first */
    struct card_set cards;                  /* set by the game: the cards that are dealt */
    struct card_set visible[SEATS_MAX + 1]; /* the cards that the seat sees in each hand; none in
                                               SEATS_MAX, which is not there */
    struct card_set own;                    /* … in its own */
    struct card_set seen;                   /* all cards that the seat sees or has seen played */
    uint8_t voids[FACE_SUITS_MAX];          /* by suit, bit s: seat s has not followed it */
    uint8_t won[SEATS_MAX + 1][FACE_SUITS_MAX]; /* cards in the tricks that each seat took; none in
                                                   SEATS_MAX */
    uint8_t later; /* bit s: seat s plays after the seat in this trick */
    uint8_t trump; /* set by the game: a suit, or SUIT_NONE */
    uint8_t wish;  /* set by the game, below ENCODE_WISHES: what the seat
                      wants of the tricks to come */
    uint16_t levels[SLOTS_MAX][ENCODE_LEVELS]; /* set by the game, for its own use */
};

/* The outputs of the net whose sum is what a move is worth: one of its own, and one of each group
 * of features that it shares with other moves. Groups are added like those of inputs. */
struct encode_outputs {
    uint16_t at[ENCODE_OUTPUTS_MAX];
    uint16_t next; /* the first output of the next group */
    uint8_t count;
    bool is_pair; /* the move names two numbers of tricks */
};

/* Which groups of inputs a game has. */
enum encode_group {
    ENCODE_FOLLOWS = 1, /* players must follow suit */
    ENCODE_BIDS = 2,    /* players bid */
    ENCODE_OTHERS = 4,  /* a seat sees cards in the hands of others */
    ENCODE_WON = 8,     /* the cards that a seat has won count */
};

/* How moves become outputs of the net. */
enum encode_move_kind {
    ENCODE_PLAIN,  /* the moves have an output each */
    ENCODE_CARD,   /* the number within the range is a card's */
    ENCODE_SEAT,   /* the number within the range, divided by `stride`, is a seat */
    ENCODE_TRICKS, /* the moves name one or two numbers of tricks (game_def.bid) that the next seat
                      will take; there is an output for each number */
    ENCODE_OWN,    /* the game's function `find_output` says which output within the range it is */
};

struct encode_moves {
    uint8_t first, count;
    uint8_t kind;
    uint8_t stride; /* of ENCODE_SEAT: how many moves there are for each seat */
    uint16_t feature_count;
    /* Adds the features of the move with a number within the range: groups of outputs, as many as
     * `feature_count` tells. NULL: none. */
    void (*add_features)(const struct encoding *encoding, uint8_t number,
                         struct encode_outputs *out);
};

/* What a game tells the encoder: a member of struct game_def. */
struct encode_traits {
    struct worth_goal goal;
    uint8_t groups;      /* of enum encode_group */
    uint8_t range_count; /* of `moves` */
    const struct encode_moves *moves;

    /* Sets the `roles` of the suits, and with ENCODE_FOLLOWS `cards` and `trump`; NULL: all suits
     * are alike. */
    void (*sort)(const void *state, struct encoding *out);

    /* Of ENCODE_TRICKS: the points for one number that is right, and for one of two. */
    uint8_t points[2];

    /* Adds the inputs that only this game has. */
    void (*add)(const void *state, struct encoding *out);

    /* Takes the round back to its first bid, with the hands as they were then: a search asks how
     * likely the others' bids are with the hands that it imagines. NULL: bids tell it nothing. */
    void (*reopen_bidding)(void *state);

    /* For secret bids, which a search imagines too: the seat has made this bid. NULL: bids are
     * public. */
    void (*set_bid)(void *state, uint8_t seat, uint8_t move);

    /* For ENCODE_OWN: the output, counted from the range's first, for a number within the range. */
    uint8_t (*find_output)(const struct encoding *encoding, uint8_t number);
};

/* Encodes what the seat, whose turn it is, knows of the state. */
void encode_state(const struct game_def *game, const void *state, uint8_t seat,
                  struct encoding *out);

/* The outputs of the net that stand for the move: their sum is what it is worth. A move that names
 * two numbers of tricks has one for each; any other one has its own and those of its features. */
void encode_move(const struct encoding *encoding, uint8_t move, struct encode_outputs *out);

/* The range of a move, and the first of its outputs. The move is one of the game's. */
const struct encode_moves *encode_find_range(const struct game_def *game, uint8_t move,
                                             uint16_t *first);

/* The number of outputs of a game's net. */
uint16_t encode_count_outputs(const struct game_def *game);

/* The cards of the set whose numbers are `first` and the following ones: bit 0 for the first. */
uint64_t encode_slice(struct card_set set, unsigned first, unsigned count);

/* The canonical number of a card. */
uint8_t encode_card(const struct encoding *encoding, uint8_t card);

/* Each of the functions below adds a group of inputs, always of the same size. */

static inline void encode_mix(struct encoding *out, unsigned size)
{
    out->layout = (out->layout ^ size) * 16777619U; /* as in the hash FNV-1a */
}

/* Adds `size` inputs, of which number `value` is on; none if it is not below `size`. */
static inline void encode_add(struct encoding *out, unsigned value, unsigned size)
{
    if (value < size) {
        out->active[out->count++] = (uint16_t)(out->inputs + value);
    }
    out->inputs = (uint16_t)(out->inputs + size);
    encode_mix(out, size);
}

/* Adds `size` outputs, of which number `value` is one of the move; none if it is not below `size`.
 */
static inline void encode_add_output(struct encode_outputs *out, unsigned value, unsigned size)
{
    if (value < size) {
        out->at[out->count++] = (uint16_t)(out->next + value);
    }
    out->next = (uint16_t)(out->next + size);
}

/* The step of a chance, in so many steps of the same size. */
static inline unsigned encode_step(unsigned chance, unsigned steps)
{
    return chance >= ENCODE_CHANCE_ONE ? steps - 1 : chance * steps / ENCODE_CHANCE_ONE;
}

/* An input for each whole number from `low` to `high`; other numbers count as the nearest one. */
void encode_add_number(struct encoding *out, int number, int low, int high);

/* An input for each card, and for each copy of it. */
void encode_add_cards(struct encoding *out, struct card_set set);

/* An input for each card; all are off for CARD_NONE. */
void encode_add_card(struct encoding *out, uint8_t card);

/* An input for each seat, by distance; all are off for a number that is no seat. */
void encode_add_seat(struct encoding *out, uint8_t seat);

/* For each seat, by distance, or for each suit, by place, an input for each number from 1 to
 * `most`; greater numbers count as `most`. */
void encode_add_by_seat(struct encoding *out, const uint8_t numbers[SEATS_MAX], unsigned most);
void encode_add_by_suit(struct encoding *out, const uint8_t numbers[FACE_SUITS_MAX], unsigned most);
