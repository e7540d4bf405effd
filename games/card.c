#include "games/card.h"

#include "games/macros.h"
#include "games/text.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const char hex_digits[] = "0123456789abcdef";

struct text text_init(char *buffer, size_t capacity)
{
    assert(capacity >= 1);
    buffer[0] = '\0';
    return (struct text){.at = buffer, .cap = capacity};
}

void text_put(struct text *text, const char *string)
{
    text_put_bytes(text, string, strlen(string));
}

void text_put_bytes(struct text *text, const char *bytes, size_t len)
{
    size_t room = text->cap - 1 - text->len;
    if (len > room) {
        len = room;
        text->is_cut = true;
    }
    memcpy(text->at + text->len, bytes, len);
    text->len += len;
    text->at[text->len] = '\0';
}

void text_put_char(struct text *text, char c)
{
    text_put_bytes(text, &c, 1);
}

void text_put_number(struct text *text, int64_t number)
{
    char digits[20]; /* 2^63 has 19 digits, plus the sign */
    size_t first = sizeof(digits);
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--first] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0) {
        digits[--first] = '-';
    }
    text_put_bytes(text, digits + first, sizeof(digits) - first);
}

void text_put_hex(struct text *text, const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        text_put_char(text, hex_digits[bytes[i] >> 4]);
        text_put_char(text, hex_digits[bytes[i] & 15]);
    }
}

static void text_put_json_char(struct text *text, char c)
{
    unsigned char byte = (unsigned char)c;
    if (c == '"' || c == '\\') {
        text_put_char(text, '\\');
        text_put_char(text, c);
    } else if (byte < 0x20) {
        text_put(text, "\\u00");
        text_put_hex(text, &byte, 1);
    } else {
        text_put_char(text, c);
    }
}

void text_put_json(struct text *text, const char *string)
{
    text_put_char(text, '"');
    for (const char *c = string; *c != '\0'; c++) {
        text_put_json_char(text, *c);
    }
    text_put_char(text, '"');
}

int text_find_word(const char *const *words, const char *word)
{
    size_t size = word == NULL ? 0 : strlen(word) + 1;
    for (int i = 0; size > 0 && words[i] != NULL; i++) {
        if (strlen(words[i]) + 1 == size && memcmp(words[i], word, size) == 0) {
            return i;
        }
    }
    return -1;
}

#define STANDARD_LOWEST 2
#define STANDARD_ACE 14

static const char standard_ranks[] = "23456789TJQKA";

static const struct suit_def standard_suits[] = {
    {.id = "S", .title = N_("spades"), .symbol = "♠", .letters = "S", .tint = TINT_PLAIN},
    {.id = "H", .title = N_("hearts"), .symbol = "♥", .letters = "H", .tint = TINT_RED},
    {.id = "D", .title = N_("diamonds"), .symbol = "♦", .letters = "D", .tint = TINT_BLUE},
    {.id = "C", .title = N_("clubs"), .symbol = "♣", .letters = "C", .tint = TINT_GREEN},
};

const struct deck_def standard_deck = {
    .suits = standard_suits,
    .suit_count = ARRAY_LEN(standard_suits),
    .value_first = STANDARD_LOWEST,
    .value_count = STANDARD_ACE - STANDARD_LOWEST + 1,
    .is_standard = true,
};

static uint8_t find_first_special_card(const struct deck_def *deck)
{
    return (uint8_t)(deck->suit_count * deck->value_count);
}

/* Finds a special card by its number. NULL for a card that has a suit, and for an invalid
 * number. */
static const struct special_def *find_special_card(const struct deck_def *deck, uint8_t card)
{
    uint8_t first = find_first_special_card(deck);
    if (card < first || card >= first + deck->special_count) {
        return NULL;
    }
    return &deck->specials[card - first];
}

uint8_t card_number_without_copy(const struct deck_def *deck, uint8_t card)
{
    if (deck->copies < 2 || card == CARD_NONE) {
        return card;
    }
    return (uint8_t)(card % card_count(deck));
}

uint8_t card_of(const struct deck_def *deck, uint8_t suit, uint8_t value)
{
    return (uint8_t)(suit * deck->value_count + value - deck->value_first);
}

uint8_t card_count(const struct deck_def *deck)
{
    return (uint8_t)(find_first_special_card(deck) + deck->special_count);
}

uint8_t card_suit(const struct deck_def *deck, uint8_t card)
{
    if (card >= find_first_special_card(deck)) {
        return SUIT_NONE;
    }
    return (uint8_t)(card / deck->value_count);
}

uint8_t card_value(const struct deck_def *deck, uint8_t card)
{
    if (card >= find_first_special_card(deck)) {
        return 0;
    }
    return (uint8_t)(card % deck->value_count + deck->value_first);
}

void card_write_name(const struct deck_def *deck, uint8_t card, struct text *out)
{
    const struct special_def *special = find_special_card(deck, card);
    uint8_t suit = card_suit(deck, card);
    if (special != NULL) {
        text_put(out, special->id);
    } else if (suit != SUIT_NONE && deck->is_standard) {
        card_write_rank(deck, card, out);
        text_put(out, deck->suits[suit].id);
    } else if (suit != SUIT_NONE) {
        text_put(out, deck->suits[suit].id);
        text_put_char(out, '-');
        card_write_rank(deck, card, out);
    }
}

uint8_t card_parse(const struct deck_def *deck, const char *name)
{
    size_t size = strlen(name) + 1;
    for (uint8_t card = 0; card < card_count(deck); card++) {
        char buffer[CARD_TEXT_MAX] = "";
        struct text text = text_init(buffer, sizeof(buffer));
        card_write_name(deck, card, &text);
        if (text.len + 1 == size && memcmp(buffer, name, size) == 0) {
            return card;
        }
    }
    return CARD_NONE;
}

void card_write_rank(const struct deck_def *deck, uint8_t card, struct text *out)
{
    const struct special_def *special = find_special_card(deck, card);
    uint8_t value = card_value(deck, card);
    if (special != NULL) {
        text_put(out, special->title);
    } else if (deck->is_standard && value >= STANDARD_LOWEST && value <= STANDARD_ACE) {
        text_put_char(out, standard_ranks[value - STANDARD_LOWEST]);
    } else if (value != 0) {
        text_put_number(out, value);
    }
}

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
