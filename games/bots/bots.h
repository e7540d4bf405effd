#pragma once

#include "games/game.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a player of a game wants: a member of struct encode_traits. */
struct worth_goal {
    float points_unit;   /* as many points count as 1 */
    float win_worth;     /* what a game won counts */
    bool is_zero_wanted; /* a total of 0, or a little more, is wanted, not a high one */
};

/* What the change of the totals since `before` is worth to the seat: what it has gained above the
 * mean gain of the other players, in the goal's unit. */
float worth_of_round(const struct game_def *game, const int16_t before[SEATS_MAX],
                     const struct table_state *after, uint8_t seat);

/* What the end of a finished game is worth to the seat: the goal's `win_worth` to a winner, a part
 * of it if several have won. */
float worth_of_end(const struct game_def *game, const struct game_state *state, uint8_t seat);

/*
 * What a seat knows of a state, as the numbers of the inputs of a net (net.c) that are on. The
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
    ENCODE_CARD,   /* the number within the kind is a card's */
    ENCODE_SEAT,   /* the number within the kind, divided by `stride`, is a seat */
    ENCODE_TRICKS, /* the moves name one or two numbers of tricks (`list_tricks`) that the next seat
                      will take; there is an output for each number */
    ENCODE_OWN,    /* the game's function `find_output` says which output within the kind it is */
};

/* How a kind of the game's moves (game_def.moves) becomes a range of outputs. */
struct encode_moves {
    uint8_t kind;
    uint8_t stride; /* of ENCODE_SEAT: how many moves there are for each seat */
    uint16_t feature_count;
    /* Adds the features of the move with a number within the kind: groups of outputs, as many as
     * `feature_count` tells. NULL: none. */
    void (*add_features)(const struct encoding *encoding, uint8_t number,
                         struct encode_outputs *out);
};

/* What a game tells the encoder: a member of struct game_def. */
struct encode_traits {
    struct worth_goal goal;
    uint8_t groups;                   /* of enum encode_group */
    const struct encode_moves *moves; /* one for each kind of the game's moves, in their order */

    /* Sets the `roles` of the suits, and with ENCODE_FOLLOWS `cards` and `trump`; NULL: all suits
     * are alike. */
    void (*sort)(const void *state, struct encoding *out);

    /* Of ENCODE_TRICKS: lists the numbers that a move names, ascending, and returns how many they
     * are; and the points for one number that is right, and for one of two. */
    uint8_t (*list_tricks)(uint8_t number, uint8_t tricks[2]);
    uint8_t points[2];

    /* Adds the inputs that only this game has. */
    void (*add)(const void *state, struct encoding *out);

    /* Takes the round back to its first bid, with the hands as they were then: a search asks how
     * likely the others' bids are with the hands that it imagines. NULL: bids tell it nothing. */
    void (*reopen_bidding)(void *state);

    /* For secret bids, which a search imagines too: the seat has made this bid. NULL: bids are
     * public. */
    void (*set_bid)(void *state, uint8_t seat, uint8_t move);

    /* For ENCODE_OWN: the output, counted from the range's first, for a number within the kind. */
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

/* Features of a card, for games with ENCODE_FOLLOWS: whether it leads, takes the trick as it lies
 * or not, and how it stands among the unseen and the own cards of its suit. */
#define ENCODE_CARD_FEATURES 365
void encode_add_card_features(const struct encoding *encoding, uint8_t card,
                              struct encode_outputs *out);

/*
 * A small neural network that tells what each move of a seat is worth: the points that the seat is
 * expected to gain on the others until the end of the round, and its chance to win the game. It
 * learned by playing against itself (tests/train/README.md).
 *
 * It has two hidden layers of rectified linear units and an output for each kind of move. All
 * weights are bytes in steps of 1/64 and all sums are whole numbers, so that every machine computes
 * the same.
 */

#define NET_LAYERS 3
#define NET_HIDDEN_MAX 128
#define NET_MIDDLE_MAX 32
/* Weights are stored in rows of so many; the first one of the last such row belongs to a unit that
 * is always NET_ONE. */
#define NET_PADDING 16
#define NET_ONE 64                        /* the number that stands for 1, in weights and units */
#define NET_WORTH_ONE (NET_ONE * NET_ONE) /* the same for what moves are worth */

struct net {
    uint32_t layout; /* of the encoding that it was made for */
    uint16_t inputs, outputs;
    uint8_t hidden, middle;            /* units of the layers: multiples of NET_PADDING */
    const int8_t *weights[NET_LAYERS]; /* [inputs][hidden], [middle][hidden + NET_PADDING],
                                 [outputs][middle + NET_PADDING] */
};

/* The head of a net's bytes: a mark, the layout and the sizes, and a text of how the net was made,
 * which is cut off if it is too long. */
#define NET_HEAD_BYTES 256

/* Reads a net from its bytes, which it goes on to use. False if they are no net. */
bool net_read(const uint8_t *bytes, size_t len, struct net *net) MUST_CHECK;

/* Fills in what each of the legal moves of a seat is worth, by move, in steps of 1/NET_WORTH_ONE.
 * False if the net was made for another layout. */
bool net_rate_moves(const struct net *net, const struct game_def *game, const void *state,
                    uint8_t seat, const struct move_set *legal,
                    int32_t worths[MOVES_MAX]) MUST_CHECK;

/* The legal move that is worth most, of equal ones the first. There is one. */
uint8_t net_find_best(const struct move_set *legal, const int32_t worths[MOVES_MAX]);

/* How often a softened net makes a move that is worth `loss` less than the best one, which it makes
 * NET_OFTEN times: a move that is worth `heat` less, half as often. Nearly a power of 1/2. */
#define NET_OFTEN (UINT32_C(1) << 20)
uint32_t net_soften(int32_t loss, int32_t heat);

/* Reads the net of the game, which is part of the program (bots/nets). False if there is none. */
bool net_find(const struct game_def *game, struct net *net) MUST_CHECK;

/* Finds the net of the view's game, and fills in what each legal move of the view's seat is worth,
 * as net_rate_moves does. False if the game has no net, if the net was made for another layout, and
 * if no deal fits the view. The random numbers make no difference. */
bool net_rate_view(const struct game_view *view, const struct game_config *config,
                   struct quick_random *random, struct net *net,
                   int32_t worths[MOVES_MAX]) MUST_CHECK;

/* The bytes of the nets (net.c), which are part of the program, so that it needs no file to
 * play. They are the files games/bots/nets/ID.net. */

/* Finds the net of the game with that id. False if there is none. */
bool nets_find(const char *id, const uint8_t **bytes, size_t *len);

/* Declares the bytes of a net, which stand before a mark of their end. */
#define NETS_DECLARE(symbol)                                                                       \
    extern const uint8_t net_of_##symbol[] __attribute__((visibility("hidden")));                  \
    extern const uint8_t end_of_##symbol[] __attribute__((visibility("hidden")));

/*
 * A search for a good move that sees only what its seat sees. It imagines deals that fit the view
 * and plays the round to its end in each of them, once for each move that it tries; every seat
 * makes the move that the game's net (net.c) prefers, which knows no more than that seat. If
 * the game can reopen the bidding, deals in which the others' bids fit their cards
 * are more likely, and the others' secret bids are those that the net prefers. All moves are tried
 * in the same deals. The worse half of the moves is dropped again and again, so that the better
 * ones are tried more often (sequential halving: Karnin, Koren and Somekh, "Almost Optimal
 * Exploration in Multi-Armed Bandits", ICML 2013).
 *
 * The same view, config, random numbers and number of play-outs give the same move on every
 * machine.
 */

#define SEARCH_PLAYOUTS 200   /* enough for the strong policy */
#define SEARCH_MOVES_MAX 8    /* more moves are not tried: those that the net likes least */
#define SEARCH_DECISIONS 1500 /* after so many decisions of the net no deal is begun */

/* A move that a search tries. */
struct search_move {
    uint8_t move;
    float prior;     /* what the net says that the move is worth */
    float total;     /* the sum of what its play-outs were worth */
    int32_t points;  /* the sum of the points that the seat gained in them */
    uint32_t visits; /* the number of its play-outs */
};

/* The memory of a search, which the caller provides. It needs no initialisation, and a search reads
 * nothing of an earlier one. */
struct search {
    struct search_move moves[MOVES_MAX]; /* the best first */
    uint8_t count;
};

/* What a search found about one of the legal moves. */
struct search_choice {
    uint8_t move;
    uint32_t visits; /* the number of play-outs that began with the move */
    float points; /* the mean of the points that the seat gained from the view to the round's end */
};

/* Returns the best move found for the view's seat, whose turn it is, in at most that many
 * play-outs; fewer are made if they are long, so that a search takes a few milliseconds. A forced
 * move is returned at once. Returns MOVE_NONE if no deal fits the view, and if the game has no net
 * that fits. */
uint8_t search_choose_move(struct search *search, const struct game_view *view,
                           const struct game_config *config, struct quick_random *random,
                           uint32_t playouts);

/* Fills in the moves that the last search has tried, the best first, which the search returned.
 * `view` is that search's view. Returns how many there are; 0 if the search made no play-outs,
 * because the move was forced or it returned MOVE_NONE. */
uint8_t search_list_choices(const struct search *search, const struct game_view *view,
                            struct search_choice choices[MOVES_MAX]);

/*
 * How a bot chooses its moves. Tables and histories refer to a policy by its name: "random" makes
 * any legal move, "medium" makes the move that the game's net (net.c) says is worth most,
 * "easy" also makes moves that are worth a little less, and "strong" searches. In a game without a
 * net that fits, all of them make any legal move.
 */
struct policy;

/* Returns the policy with that name; NULL if there is none. */
const struct policy *policy_find(const char *name);

const char *policy_name(const struct policy *policy);

/* Returns the greatest number of play-outs in each search of the policy; 0 if it does not search.
 */
uint32_t policy_playouts(const struct policy *policy);

/* Appends the names of all policies, separated by commas, for texts about usage: fewer than
 * POLICY_NAMES_BYTES bytes. */
#define POLICY_NAMES_BYTES 120
void policy_write_names(struct text *out);

/* Reads names separated by commas: a policy for each of `count` seats, the last one for all seats
 * that are left. Returns false if the list is too long or names an unknown policy. */
bool policy_read_list(const char *list, uint8_t count, const struct policy *at[SEATS_MAX]);

/* Returns a legal move for the view's seat, whose turn it is. The same view, config, random numbers
 * and play-outs give the same move. `search` is memory for policies that search; if it is NULL, or
 * if no deal fits the view, the strong policy chooses as "medium" does. `playouts` limits their
 * number in the search; 0: as many as the policy makes. */
uint8_t policy_choose_move(const struct policy *policy, struct search *search,
                           const struct game_view *view, const struct game_config *config,
                           struct quick_random *random, uint32_t playouts);
