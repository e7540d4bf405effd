#include "games/suppose/suppose.h"

#include "games/card.h"

#include <string.h>

#define COPIES 2
#define TRICK_COUNTS (SUPPOSE_SLOTS + 1)

static const struct suit_def suppose_suits[SUPPOSE_COLOURS] = {
    {.id = "red", .title = N_("red"), .letters = N_("R"), .tint = TINT_RED},
    {.id = "yellow", .title = N_("yellow"), .letters = N_("Y"), .tint = TINT_YELLOW},
    {.id = "green", .title = N_("green"), .letters = N_("G"), .tint = TINT_GREEN},
    {.id = "blue", .title = N_("blue"), .letters = N_("B"), .tint = TINT_BLUE},
};

const struct deck_def suppose_deck = {
    .suits = suppose_suits,
    .suit_count = SUPPOSE_COLOURS,
    .value_first = 1,
    .value_count = SUPPOSE_VALUES,
    .copies = COPIES,
};

static const uint8_t factorials[SUPPOSE_COLOURS + 1] = {1, 1, 2, 6, 24};

/* By set of colours: the number of the first order of these colours. A set is a number with one bit
 * per colour. */
static const uint8_t first_orders[1U << SUPPOSE_COLOURS] = {
    0, 0, 1, 2, 4, 5, 7, 9, 15, 16, 18, 20, 26, 28, 34, 40,
};

uint64_t suppose_find_orders_of_colours(uint8_t colours)
{
    uint64_t orders = (UINT64_C(1) << factorials[bits_count(colours)]) - 1;
    return orders << first_orders[colours];
}

static uint8_t get_colour_set_of_order(uint8_t colour_order)
{
    uint8_t colours = (1U << SUPPOSE_COLOURS) - 1;
    while (first_orders[colours] > colour_order) {
        colours--;
    }
    return colours;
}

/* The orders of one set of colours are numbered in lexicographic order. */
uint8_t suppose_list_colours_of_order(uint8_t colour_order, uint8_t colours[SUPPOSE_COLOURS])
{
    uint8_t left = get_colour_set_of_order(colour_order);
    uint8_t rest = (uint8_t)(colour_order - first_orders[left]);
    uint8_t count = bits_count(left);
    for (uint8_t i = 0; i < count; i++) {
        uint8_t tails = factorials[count - 1 - i];
        colours[i] = bits_index_of_nth_set_bit(left, rest / tails);
        left = (uint8_t)(left & ~(1U << colours[i]));
        rest = rest % tails;
    }
    return count;
}

uint8_t suppose_find_order_with_colours(const uint8_t *colours, uint8_t count)
{
    unsigned left = 0;
    for (uint8_t i = 0; i < count; i++) {
        if (colours[i] >= SUPPOSE_COLOURS || (left >> colours[i] & 1) != 0) {
            return SUPPOSE_NONE;
        }
        left |= 1U << colours[i];
    }
    uint8_t colour_order = first_orders[left];
    for (uint8_t i = 0; i < count; i++) {
        uint8_t before = bits_count(left & ((1U << colours[i]) - 1));
        colour_order = (uint8_t)(colour_order + before * factorials[count - 1 - i]);
        left &= ~(1U << colours[i]);
    }
    return count == 0 ? SUPPOSE_NONE : colour_order;
}

uint8_t suppose_list_predicted_numbers(uint8_t prediction, uint8_t tricks[2])
{
    if (prediction < TRICK_COUNTS) {
        tricks[0] = prediction;
        return 1;
    }
    uint8_t rest = (uint8_t)(prediction - TRICK_COUNTS);
    tricks[0] = 0;
    for (uint8_t pairs = TRICK_COUNTS - 1; rest >= pairs; pairs--) {
        rest = (uint8_t)(rest - pairs);
        tricks[0]++;
    }
    tricks[1] = (uint8_t)(tricks[0] + 1 + rest);
    return 2;
}

uint8_t suppose_make_prediction(const uint8_t *tricks, uint8_t count)
{
    if (count == 1 && tricks[0] < TRICK_COUNTS) {
        return tricks[0];
    }
    if (count != 2 || tricks[0] >= tricks[1] || tricks[1] >= TRICK_COUNTS) {
        return SUPPOSE_NONE;
    }
    uint8_t prediction = TRICK_COUNTS;
    for (uint8_t i = 0; i < tricks[0]; i++) {
        prediction = (uint8_t)(prediction + TRICK_COUNTS - 1 - i);
    }
    return (uint8_t)(prediction + tricks[1] - tricks[0] - 1);
}

uint8_t suppose_compute_bonus(uint8_t prediction, uint8_t tricks_taken)
{
    uint8_t tricks[2];
    uint8_t count = suppose_list_predicted_numbers(prediction, tricks);
    if (count == 1) {
        return tricks[0] == tricks_taken ? SUPPOSE_BONUS_ONE : 0;
    }
    return tricks[0] == tricks_taken || tricks[1] == tricks_taken ? SUPPOSE_BONUS_TWO : 0;
}

static uint8_t find_colour_by_id(const char *id)
{
    size_t size = strlen(id) + 1;
    uint8_t colour = 0;
    while (colour < SUPPOSE_COLOURS && (strlen(suppose_deck.suits[colour].id) + 1 != size ||
                                        memcmp(suppose_deck.suits[colour].id, id, size) != 0)) {
        colour++;
    }
    return colour;
}

uint8_t suppose_read_colour_order(const struct field *field)
{
    uint8_t colours[SUPPOSE_COLOURS];
    uint8_t count = 0;
    if (field == NULL || field->type != FIELD_LIST) {
        return SUPPOSE_NONE;
    }
    for (const struct field *at = field_first_member(field); at != NULL;
         at = field_next_member(field, at)) {
        if (at->type != FIELD_TEXT || count == SUPPOSE_COLOURS) {
            return SUPPOSE_NONE;
        }
        colours[count++] = find_colour_by_id(at->text);
    }
    return suppose_find_order_with_colours(colours, count);
}

uint8_t suppose_read_prediction(const struct field *field)
{
    uint8_t tricks[2];
    uint8_t count = 0;
    if (field == NULL || field->type != FIELD_LIST) {
        return SUPPOSE_NONE;
    }
    for (const struct field *at = field_first_member(field); at != NULL;
         at = field_next_member(field, at)) {
        if (at->type != FIELD_NUMBER || count == 2 || at->number < 0 ||
            at->number >= TRICK_COUNTS) {
            return SUPPOSE_NONE;
        }
        tricks[count++] = (uint8_t)at->number;
    }
    return suppose_make_prediction(tricks, count);
}

void suppose_write_colour_order(struct fields *out, const char *key, uint8_t colour_order)
{
    uint8_t colours[SUPPOSE_COLOURS];
    if (colour_order == SUPPOSE_NONE) {
        fields_add_null(out, key);
        return;
    }
    uint16_t list = fields_open_list(out, key);
    uint8_t count = suppose_list_colours_of_order(colour_order, colours);
    for (uint8_t i = 0; i < count; i++) {
        fields_add_text(out, NULL, suppose_deck.suits[colours[i]].id);
    }
    fields_close(out, list);
}

void suppose_write_prediction(struct fields *out, const char *key, uint8_t prediction)
{
    uint8_t tricks[2];
    if (prediction == SUPPOSE_NONE) {
        fields_add_null(out, key);
        return;
    }
    uint16_t list = fields_open_list(out, key);
    uint8_t count = suppose_list_predicted_numbers(prediction, tricks);
    for (uint8_t i = 0; i < count; i++) {
        fields_add_number(out, NULL, tricks[i]);
    }
    fields_close(out, list);
}

static void write_arrange_move(uint8_t colour_order, struct text *out)
{
    uint8_t colours[SUPPOSE_COLOURS];
    uint8_t count = suppose_list_colours_of_order(colour_order, colours);
    for (uint8_t i = 0; i < count; i++) {
        text_put(out, i == 0 ? "arrange:" : ",");
        text_put(out, suppose_deck.suits[colours[i]].id);
    }
}

static void write_predict_move(uint8_t prediction, struct text *out)
{
    uint8_t tricks[2];
    uint8_t count = suppose_list_predicted_numbers(prediction, tricks);
    for (uint8_t i = 0; i < count; i++) {
        text_put(out, i == 0 ? "predict:" : ",");
        text_put_number(out, tricks[i]);
    }
}

void suppose_write_move(uint8_t move, struct text *out)
{
    if (move < SUPPOSE_SLOTS) {
        text_put(out, "play:");
        text_put_number(out, move);
    } else if (move >= SUPPOSE_ARRANGE_FIRST &&
               move < SUPPOSE_ARRANGE_FIRST + SUPPOSE_ARRANGEMENTS) {
        write_arrange_move((uint8_t)(move - SUPPOSE_ARRANGE_FIRST), out);
    } else if (move >= SUPPOSE_PREDICT_FIRST &&
               move < SUPPOSE_PREDICT_FIRST + SUPPOSE_PREDICTIONS) {
        write_predict_move((uint8_t)(move - SUPPOSE_PREDICT_FIRST), out);
    }
}
