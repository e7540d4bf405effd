#pragma once

#include "games/bots/encode.h"

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
void net_write_head(const struct net *net, const char *made, uint8_t head[NET_HEAD_BYTES]);

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
