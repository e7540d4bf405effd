#include "games/card.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Four blocks of the stream are computed at once, one in each lane: word i of block b is
 * words[i][b]. The compiler maps a lane vector to the processor's vector instructions. */
#define LANES 4
#define BLOCK_WORDS 16
typedef uint32_t lanes __attribute__((vector_size(LANES * sizeof(uint32_t))));

struct stream_window {
    lanes words[BLOCK_WORDS];
    uint32_t first; /* the position in the stream of the window's first word */
};

static inline lanes rotate_lanes(lanes x, unsigned bit_count)
{
    return x << bit_count | x >> (32 - bit_count);
}

static inline void mix_quarter_round(lanes *a, lanes *b, lanes *c, lanes *d)
{
    *a += *b;
    *d = rotate_lanes(*d ^ *a, 16);
    *c += *d;
    *b = rotate_lanes(*b ^ *c, 12);
    *a += *b;
    *d = rotate_lanes(*d ^ *a, 8);
    *c += *d;
    *b = rotate_lanes(*b ^ *c, 7);
}

static lanes copy_word_to_lanes(uint32_t word)
{
    return (lanes){word, word, word, word};
}

static uint32_t read_little_endian(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* Computes LANES blocks of the stream (RFC 8439, section 2.3), starting with the block that
 * contains the stream's word number `word_index`. */
static void compute_window(struct stream_window *window, const uint8_t seed[SEED_BYTES],
                           uint32_t word_index)
{
    uint32_t block = word_index / BLOCK_WORDS;
    lanes start[BLOCK_WORDS] = {
        copy_word_to_lanes(0x61707865),
        copy_word_to_lanes(0x3320646e),
        copy_word_to_lanes(0x79622d32),
        copy_word_to_lanes(0x6b206574),
    };
    for (size_t i = 0; i < 8; i++) {
        start[4 + i] = copy_word_to_lanes(read_little_endian(seed + 4 * i));
    }
    start[12] = copy_word_to_lanes(block) + (lanes){0, 1, 2, 3};

    lanes x[BLOCK_WORDS];
    memcpy(x, start, sizeof(x));
    for (unsigned round = 0; round < 10; round++) {
        mix_quarter_round(&x[0], &x[4], &x[8], &x[12]);
        mix_quarter_round(&x[1], &x[5], &x[9], &x[13]);
        mix_quarter_round(&x[2], &x[6], &x[10], &x[14]);
        mix_quarter_round(&x[3], &x[7], &x[11], &x[15]);
        mix_quarter_round(&x[0], &x[5], &x[10], &x[15]);
        mix_quarter_round(&x[1], &x[6], &x[11], &x[12]);
        mix_quarter_round(&x[2], &x[7], &x[8], &x[13]);
        mix_quarter_round(&x[3], &x[4], &x[9], &x[14]);
    }
    for (unsigned i = 0; i < BLOCK_WORDS; i++) {
        window->words[i] = x[i] + start[i];
    }
    window->first = block * BLOCK_WORDS;
}

/* Returns the next word of the stream. When the window has no more words, computes the next
 * window. */
static uint32_t take_next_word(struct deal_stream *stream, struct stream_window *window)
{
    uint32_t offset = stream->words_taken - window->first;
    if (offset >= LANES * BLOCK_WORDS) {
        compute_window(window, stream->seed, stream->words_taken);
        offset = stream->words_taken - window->first;
    }
    stream->words_taken++;
    return window->words[offset % BLOCK_WORDS][offset / BLOCK_WORDS];
}

/* Rejects words >= 2^32 - (2^32 mod `below`), as HISTORY.md requires. A word < 2^32 - `below` is
 * never rejected, so nearly every draw can do without the division that computes 2^32 mod
 * `below`. */
static uint32_t draw_number_below(struct deal_stream *stream, struct stream_window *window,
                                  uint32_t below)
{
    for (;;) {
        uint32_t word = take_next_word(stream, window);
        if (word < 0 - below || word <= UINT32_MAX - (0 - below) % below) {
            return word % below;
        }
    }
}

void deal_stream_init(struct deal_stream *stream, const uint8_t seed[SEED_BYTES])
{
    memcpy(stream->seed, seed, SEED_BYTES);
    stream->words_taken = 0;
}

uint32_t deal_stream_draw_below(struct deal_stream *stream, uint32_t below)
{
    struct stream_window window;
    assert(below > 0);
    compute_window(&window, stream->seed, stream->words_taken);
    return draw_number_below(stream, &window, below);
}

void deal_stream_shuffle(struct deal_stream *stream, uint8_t *cards, uint32_t count)
{
    struct stream_window window;
    compute_window(&window, stream->seed, stream->words_taken);
    for (uint32_t i = count; i-- > 1;) {
        uint32_t j = draw_number_below(stream, &window, i + 1);
        uint8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
}

/* SplitMix64 (public domain, Vigna 2015), which the authors of xoshiro recommend for seeding it. */
void quick_random_init(struct quick_random *random, uint64_t seed)
{
    for (unsigned i = 0; i < 4; i++) {
        seed += UINT64_C(0x9E3779B97F4A7C15);
        uint64_t z = seed;
        z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
        random->word[i] = z ^ z >> 31;
    }
}
