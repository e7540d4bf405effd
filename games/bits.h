#pragma once

#include <stdint.h>

/*
 * Functions on sets of small numbers kept in a 64-bit word. They avoid the popcount instruction:
 * some 64-bit x86 processors lack it, and instead of it compilers would call a function of their
 * own library.
 */

#define BITS_BYTES_ONE UINT64_C(0x0101010101010101)

/* Byte i of the result is the number of bits set in bytes 0 to i of `word`. */
static inline uint64_t bits_count_up_to_each_byte(uint64_t word)
{
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return word * BITS_BYTES_ONE;
}

/* The number of bits set in `word`. */
static inline uint8_t bits_count(uint64_t word)
{
    return (uint8_t)(bits_count_up_to_each_byte(word) >> 56);
}

/* The index of the lowest bit set; word is not 0. */
static inline uint8_t bits_index_of_lowest(uint64_t word)
{
    return (uint8_t)__builtin_ctzll(word);
}

/* The bytes of `sums` rise and are each below 128. Returns the bit offset of the first byte that is
 * greater than n. */
static inline unsigned bits_find_byte_above(uint64_t sums, uint8_t n)
{
    uint64_t tops = BITS_BYTES_ONE << 7;
    return bits_index_of_lowest(((sums | tops) - BITS_BYTES_ONE * (n + 1U)) & tops) & 56U;
}

/* The index of the bit that has exactly n set bits below it; n is less than the number of bits set.
 * First finds the byte that holds this bit, then spreads that byte's bits to one byte each and
 * searches these bytes. A loop that clears one bit at a time is slower for a random n, because the
 * processor cannot predict the number of iterations. (Vigna, Broadword implementation of
 * rank/select queries, 2008.) */
static inline uint8_t bits_index_of_nth_set_bit(uint64_t word, uint8_t n)
{
    uint64_t sums = bits_count_up_to_each_byte(word);
    unsigned shift = bits_find_byte_above(sums, n);
    uint8_t rest = (uint8_t)(n - (uint8_t)(sums << 8 >> shift));
    uint64_t spread = (word >> shift & 0xFF) * BITS_BYTES_ONE & UINT64_C(0x8040201008040201);
    spread = ((spread + BITS_BYTES_ONE * 0x7F) | spread) >> 7 & BITS_BYTES_ONE;
    return (uint8_t)(shift + bits_find_byte_above(spread * BITS_BYTES_ONE, rest) / 8);
}
