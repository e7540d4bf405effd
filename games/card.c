#include "games/card.h"

#include "games/macros.h"

#include <string.h>

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
