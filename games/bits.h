#ifndef GAMES_BITS_H
#define GAMES_BITS_H

#include <stdint.h>

/*
 * Sets of small numbers in a word, without the processor's popcount, which not every 64-bit x86
 * has and which compilers would replace by a call into their own library.
 */

#define BITS_BYTES_ONE UINT64_C(0x0101010101010101)

/* In each byte of the result the number of bits set in this byte of `word` and all lower ones. */
static inline uint64_t bits_sums(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return word * BITS_BYTES_ONE;
}

/* How many bits are set. */
static inline uint8_t bits_count(uint64_t word)
{
    return (uint8_t)(bits_sums(word) >> 56);
}

/* The lowest bit set; word is not 0. */
static inline uint8_t bits_lowest(uint64_t word)
{
    return (uint8_t)__builtin_ctzll(word);
}

/* The lowest byte of `sums` (rising, each below 128) that exceeds n: where it begins, in bits. */
static inline unsigned bits_byte_above(uint64_t sums, uint8_t n)
{
    uint64_t tops = BITS_BYTES_ONE << 7;
    return bits_lowest(((sums | tops) - BITS_BYTES_ONE * (n + 1U)) & tops) & 56U;
}

/* The nth bit set from below, n less than the count. First finds the byte, then spreads its bits
 * to a byte each and finds that. A loop that clears bit after bit is slower for a random n: how
 * often it runs cannot be foreseen by the processor. (Vigna, Broadword implementation of
 * rank/select queries, 2008.) */
static inline uint8_t bits_nth(uint64_t word, uint8_t n)
{
    uint64_t sums = bits_sums(word);
    unsigned shift = bits_byte_above(sums, n);
    uint8_t rest = (uint8_t)(n - (uint8_t)(sums << 8 >> shift));
    uint64_t spread = (word >> shift & 0xFF) * BITS_BYTES_ONE & UINT64_C(0x8040201008040201);
    spread = ((spread + BITS_BYTES_ONE * 0x7F) | spread) >> 7 & BITS_BYTES_ONE;
    return (uint8_t)(shift + bits_byte_above(spread * BITS_BYTES_ONE, rest) / 8);
}

#endif
