#include "games/game.h"

#include "games/card.h"

#include <assert.h>

#define MOVE_WORDS (MOVES_MAX / 64)

uint8_t move_set_count(const struct move_set *set)
{
    unsigned count = 0;
    for (unsigned i = 0; i < MOVE_WORDS; i++) {
        count += bits_count(set->bits[i]);
    }
    return (uint8_t)count;
}

uint8_t move_set_nth(const struct move_set *set, uint8_t n)
{
    unsigned i = 0;
    uint8_t count = bits_count(set->bits[0]);
    while (n >= count) {
        assert(i + 1 < MOVE_WORDS);
        n = (uint8_t)(n - count);
        count = bits_count(set->bits[++i]);
    }
    return (uint8_t)(i * 64 + bits_index_of_nth_set_bit(set->bits[i], n));
}

uint8_t move_set_next(const struct move_set *set, unsigned from)
{
    for (unsigned i = from / 64; i < MOVE_WORDS; i++) {
        uint64_t word = set->bits[i];
        if (i == from / 64) {
            word &= ~UINT64_C(0) << (from % 64);
        }
        if (word != 0) {
            return (uint8_t)(i * 64 + bits_index_of_lowest(word));
        }
    }
    return MOVE_NONE;
}
