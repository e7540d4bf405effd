#ifndef GAMES_RANDOM_H
#define GAMES_RANDOM_H

#include <stdint.h>

#define SEED_BYTES 32

/* The stream of HISTORY.md's "Fair dealing": ChaCha20 (RFC 8439, zero nonce, counter from 0) under
 * the seed, taken as little-endian 32-bit words. Part of a game's state, so it holds no block. */
struct deal_stream {
    uint8_t seed[SEED_BYTES];
    uint32_t words_taken;
};

void deal_stream_init(struct deal_stream *stream, const uint8_t seed[SEED_BYTES]);

/* A number below `below` (1 or more), by rejection as HISTORY.md says. */
uint32_t deal_stream_below(struct deal_stream *stream, uint32_t below);

/* Fisher–Yates from the last index down to 1, as HISTORY.md says. */
void deal_stream_shuffle(struct deal_stream *stream, uint8_t *cards, uint32_t count);

/* A fast generator for bots and playouts (xoshiro256**, public domain, Blackman and Vigna 2018).
 * Never for dealing. */
struct quick_random {
    uint64_t word[4];
};

void quick_random_init(struct quick_random *random, uint64_t seed);
uint64_t quick_random_next(struct quick_random *random);

/* A number below `below` (1 or more), nearly uniform (multiply and shift). */
uint32_t quick_random_below(struct quick_random *random, uint32_t below);

#endif
