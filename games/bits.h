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

/* The nth bit set from below, n less than the count. */
static inline uint8_t bits_nth(uint64_t word, uint8_t n)
{
    while (n-- > 0) {
        word &= word - 1;
    }
    return bits_lowest(word);
}

#endif
