#pragma once

#include <stdint.h>

#define SEED_BYTES 32

/* The random stream of HISTORY.md's "Fair dealing": ChaCha20 (RFC 8439, zero nonce, counter from 0)
 * with the seed as key, read as little-endian 32-bit words. The struct is part of a game's state
 * and must be small, so it stores no block of the stream. */
struct deal_stream {
    uint8_t seed[SEED_BYTES];
    uint32_t words_taken;
};

void deal_stream_init(struct deal_stream *stream, const uint8_t seed[SEED_BYTES]);

/* Returns a random number less than `below`, which is at least 1. Rejects some words of the stream,
 * as HISTORY.md requires, so that all numbers are equally likely. */
uint32_t deal_stream_draw_below(struct deal_stream *stream, uint32_t below);

/* Shuffles from the last index down to 1 with the Fisher–Yates algorithm, as HISTORY.md
 * requires. */
void deal_stream_shuffle(struct deal_stream *stream, uint8_t *cards, uint32_t count);

/* A fast random generator for bots and simulated games (xoshiro256**, public domain, Blackman and
 * Vigna 2018). Never use it to deal. */
struct quick_random {
    uint64_t word[4];
};

void quick_random_init(struct quick_random *random, uint64_t seed);

static inline uint64_t quick_random_next(struct quick_random *random)
{
    uint64_t *s = random->word;
    uint64_t scrambled = s[1] * 5;
    scrambled = (scrambled << 7 | scrambled >> 57) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = s[3] << 45 | s[3] >> 19;
    return scrambled;
}

/* Returns a random number less than `below`, which is at least 1. The numbers are nearly equally
 * likely (multiply and shift). */
static inline uint32_t quick_random_draw_below(struct quick_random *random, uint32_t below)
{
    return (uint32_t)((quick_random_next(random) >> 32) * below >> 32);
}
