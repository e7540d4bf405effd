#pragma once

#include "games/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Cards are small numbers within a deck: suit * deck->value_count + index of the value, values
 * ascending. The deck's special cards follow the cards of the suits. RULES.md names the cards.
 */

#define CARD_NONE 0xFF
#define SUIT_NONE 0xFF
#define CARD_TEXT_MAX 24

/* A set of cards of one deck; bit c stands for card c. */
struct card_set {
    uint64_t bits[2];
};

static inline void card_set_add(struct card_set *set, uint8_t card)
{
    set->bits[card / 64] |= UINT64_C(1) << (card % 64);
}

static inline void card_set_remove(struct card_set *set, uint8_t card)
{
    set->bits[card / 64] &= ~(UINT64_C(1) << (card % 64));
}

static inline bool card_set_has(const struct card_set *set, uint8_t card)
{
    return (set->bits[card / 64] >> (card % 64) & 1) != 0;
}

enum tint {
    TINT_PLAIN,
    TINT_RED,
    TINT_ORANGE,
    TINT_YELLOW,
    TINT_GREEN,
    TINT_BLUE,
    TINT_PURPLE,
    TINT_PINK,
    TINT_GREY,
};

struct suit_def {
    const char *id;      /* as written in histories: "S", "grey", "tom-dire" */
    const char *title;   /* shown to people, translated: "spades", "grey", "Tom Dire" */
    const char *symbol;  /* drawn on a card, UTF-8: "♠"; NULL: draw `letters` instead */
    const char *letters; /* drawn on a card in ASCII mode, translated, 1 to 3 columns: "Gr" */
    uint8_t tint;        /* enum tint */
};

struct special_def {
    const char *id;    /* as written in histories: "cerberus", "X1" */
    const char *title; /* shown to people, translated: "CERBERUS" */
    uint8_t tint;
    const char *letters; /* for narrow places, translated, 1 to 3 columns; NULL: use the title */
};

struct deck_def {
    const struct suit_def *suits;
    uint8_t suit_count;
    uint8_t value_first; /* the number of the lowest value: 2 in a standard deck, otherwise 1 */
    uint8_t value_count; /* the number of values in a suit */
    bool is_standard;    /* true: card names are rank, then suit ("TD"); false: "suit-value" */
    const struct special_def *specials;
    uint8_t special_count;
    uint8_t copies; /* copies of each card that has a suit; 0 means 1 */
};

/* 52 cards; suits S, H, D, C; aces are high. */
extern const struct deck_def standard_deck;

/* The number of different cards, special cards included. Card numbers are below this count. */
uint8_t card_count(const struct deck_def *deck);

/* Returns the number that all copies of a card share; CARD_NONE for CARD_NONE. Only a game's state
 * tells copies apart (as the hands in game.h do): there, copy k of card c has the number c + k *
 * card_count. */
uint8_t card_number_without_copy(const struct deck_def *deck, uint8_t card);

uint8_t card_of(const struct deck_def *deck, uint8_t suit, uint8_t value);

/* The card's suit; SUIT_NONE for a special card and for CARD_NONE. */
uint8_t card_suit(const struct deck_def *deck, uint8_t card);

/* The card's value (standard deck: 2 to 14, ace high); 0 for a special card and for CARD_NONE. */
uint8_t card_value(const struct deck_def *deck, uint8_t card);

/* Appends the card's name as in histories: "AS", "grey-10", "cerberus". Appends nothing for
 * CARD_NONE. */
void card_write_name(const struct deck_def *deck, uint8_t card, struct text *out);

/* The card with that name; CARD_NONE when no card has it. */
uint8_t card_parse(const struct deck_def *deck, const char *name);

/* Appends the rank that people read on the card, without the suit: "T", "10", "CERBERUS". Appends
 * nothing for CARD_NONE. */
void card_write_rank(const struct deck_def *deck, uint8_t card, struct text *out);

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

/* Returns the index of a random bit of those that are set; word is not 0. */
static inline uint8_t quick_random_draw_bit(struct quick_random *random, uint64_t word)
{
    uint8_t n = (uint8_t)quick_random_draw_below(random, bits_count(word));
    return bits_index_of_nth_set_bit(word, n);
}
