#include "daemon/screens/table/table_hand.h"

#include "daemon/screens/drawing/text_format.h"

#include <string.h>

#define TALL_INNER_MAX 7

/* A card of the hand while it is drawn. */
struct hand_cell {
    struct card_face face;
    enum style style;
    bool is_bracketed;
    int row, column; /* where the card's first line is drawn, inside the frame */
    int inner;
};

/* Returns the position of a card in a sorted hand. A standard deck's suits are sorted as spades,
 * hearts, clubs, diamonds, so that colours alternate. Other decks keep their own order of suits.
 * Special cards come last. Within a suit, high cards come first. */
static int compute_sort_position(const struct deck_def *deck, uint8_t card)
{
    int suit = card_suit(deck, card);
    if (suit == SUIT_NONE) {
        return 100 * deck->suit_count + card;
    }
    if (deck->is_standard && suit >= 2) {
        suit = 5 - suit;
    }
    return 100 * suit - card_value(deck, card) + 50;
}

static bool is_slot_marked(const struct view_slot *slot)
{
    return slot->card == CARD_NONE || slot->is_traded || slot->suit != SUIT_NONE ||
           slot->value != 0;
}

uint8_t hand_order_slots(const struct game_view *view, uint8_t seat, bool *keeps_slots,
                         uint8_t slots[SLOTS_MAX])
{
    const struct view_slot *hand = view->hands[seat];
    uint8_t count = 0;
    const struct game_face *face = view->game->face;
    bool is_sorted = view->phase < 8 && (face->sorted_phases >> view->phase & 1) != 0;
    *keeps_slots |= face->keeps_slots && !is_sorted;
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        *keeps_slots |= !hand[i].is_empty && is_slot_marked(&hand[i]);
    }
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        if (*keeps_slots) {
            slots[count++] = i;
            continue;
        }
        if (hand[i].is_empty) {
            continue;
        }
        int place = compute_sort_position(view->game->deck, hand[i].card);
        uint8_t at = count++;
        while (at > 0 &&
               compute_sort_position(view->game->deck, hand[slots[at - 1]].card) > place) {
            slots[at] = slots[at - 1];
            at--;
        }
        slots[at] = i;
    }
    return count;
}

static enum card_form choose_face_form(enum hand_style style)
{
    return style == HAND_LONG                          ? FACE_LONG
           : style == HAND_TALL || style == HAND_STACK ? FACE_STACKED
                                                       : FACE_SHORT;
}

static int count_lines_per_card(enum hand_style style)
{
    return style == HAND_TALL ? 3 : style == HAND_STACK ? 2 : 1;
}

/* Plans a hand of framed cards in a style, each `extra_columns` wider than its face needs. True if
 * the whole hand fits the width. */
static bool plan_framed_hand(const struct card_widths *widths, uint8_t slot_count, int width,
                             enum hand_style style, int extra_columns, struct hand_plan *plan)
{
    plan->style = style;
    plan->inner = widths->of[choose_face_form(style)] + 2 + extra_columns;
    plan->rows = 1 + count_lines_per_card(style) + 2;
    return slot_count * (plan->inner + 1) + 1 <= width;
}

static int count_cards_per_line(const struct hand_plan *plan, int width)
{
    int per_line = width / (plan->inner + 3);
    return per_line > 0 ? per_line : 1;
}

static void plan_unframed_hand(const struct game_view *view, const struct card_widths *widths,
                               int width, bool keeps_slots, struct hand_plan *plan)
{
    memset(plan, 0, sizeof(*plan));
    plan->keeps_slots = keeps_slots;
    plan->style = HAND_LINES;
    plan->inner = widths->of[FACE_SHORT] + 2;
    plan->count = hand_order_slots(view, (uint8_t)view->seat, &plan->keeps_slots, plan->slots);
    int per_line = count_cards_per_line(plan, width);
    int slots = view->slot_count[view->seat];
    plan->rows = slots == 0 ? 1 : (slots + per_line - 1) / per_line;
}

void hand_make_plans(const struct game_view *view, const struct words *words, int width,
                     bool keeps_slots, bool is_tall, struct hand_plans *plans)
{
    memset(plans, 0, sizeof(*plans));
    if (view->seat == SPECTATOR) {
        return;
    }
    struct card_widths widths;
    card_measure_widths(words, &widths);
    plan_unframed_hand(view, &widths, width, keeps_slots, &plans->lines);
    struct hand_plan *plan = &plans->framed;
    *plan = plans->lines;
    uint8_t slots = view->slot_count[view->seat];
    bool is_named = !view->game->deck->is_standard;
    bool fits = (is_tall && plan_framed_hand(&widths, slots, width, HAND_TALL, 2, plan) &&
                 plan->inner <= TALL_INNER_MAX) ||
                (is_named && plan_framed_hand(&widths, slots, width, HAND_LONG, 0, plan)) ||
                plan_framed_hand(&widths, slots, width, HAND_SHORT, 2, plan) ||
                plan_framed_hand(&widths, slots, width, HAND_SHORT, 0, plan) ||
                plan_framed_hand(&widths, slots, width, HAND_STACK, 0, plan);
    if (!fits) {
        *plan = plans->lines;
    }
}

static const char keys[] = "1234567890ABCDE";

char hand_keyboard_key_of_place(int place)
{
    return keys[place < SLOTS_MAX ? place : SLOTS_MAX - 1];
}

int hand_place_of_keyboard_key(uint32_t key)
{
    const char *found = key > 0 && key < 128 ? strchr(keys, (int)key) : NULL;
    return found == NULL ? -1 : (int)(found - keys);
}

static int compute_left_column_of_hand(const struct area *area, const struct hand_plan *plan,
                                       uint8_t slot_count)
{
    int width = slot_count * (plan->inner + 1) + 1;
    return area->column + (area->width > width ? (area->width - width) / 2 : 0);
}

/* Chooses how a card looks now: playable, not playable, selected, or neutral. */
static void choose_hand_card_style(const struct game_view *view, uint8_t slot, bool is_selected,
                                   struct hand_cell *cell)
{
    uint8_t move = view_viewer_may_move(view) ? view->game->face->point(view, slot) : MOVE_NONE;
    cell->is_bracketed = move_set_has(&view->legal, move);
    cell->style = is_selected          ? STYLE_SELECTED
                  : cell->is_bracketed ? STYLE_CARD
                  : move != MOVE_NONE  ? STYLE_DIM
                                       : STYLE_PLAIN;
}

static void draw_line_of_hand_card(const struct canvas *canvas, const struct hand_cell *cell,
                                   int line, const char *content)
{
    struct text text = TEXT_OF(CARD_FACE_TEXT_MAX * 2 + 2);
    text_format(&text, cell->is_bracketed ? "[%s]" : "%s", content);
    draw_text_centred(canvas, cell->row + line, cell->column, cell->inner, cell->style, text.at);
}

static void draw_hand_card(const struct canvas *canvas, const struct words *words,
                           const struct hand_cell *cell, enum hand_style style)
{
    const struct card_face *face = &cell->face;
    struct area inside = {cell->row, cell->column, count_lines_per_card(style), cell->inner};
    if (cell->style == STYLE_SELECTED) {
        draw_filled_area(canvas, &inside, STYLE_SELECTED);
    }
    if (style == HAND_TALL) {
        draw_text(canvas, cell->row, cell->column + 1, cell->inner - 1, cell->style, face->rank);
        draw_line_of_hand_card(canvas, cell, 1, face->suit[0] != '\0' ? face->suit : "?");
        draw_text_right_aligned(canvas, cell->row + 2, cell->column, cell->inner - 1, cell->style,
                                face->rank);
    } else if (style == HAND_STACK) {
        draw_line_of_hand_card(canvas, cell, 0, face->rank);
        draw_text_centred(canvas, cell->row + 1, cell->column, cell->inner, cell->style,
                          face->suit);
    } else {
        struct text text = TEXT_OF(CARD_FACE_TEXT_MAX * 2);
        card_write_face(words, face, choose_face_form(style), &text);
        draw_line_of_hand_card(canvas, cell, 0, text.at);
    }
}

/* Draws the key above a card, with marks for clues and for a trade. */
static void draw_key_above_hand_card(const struct canvas *canvas, const struct hand_cell *cell,
                                     int place, const struct view_slot *slot, bool is_playable)
{
    struct text text = TEXT_OF(32);
    bool has_clue = slot->card != CARD_NONE && (slot->suit != SUIT_NONE || slot->value != 0);
    text_format(&text, "%c%s%s", hand_keyboard_key_of_place(place), has_clue ? "*" : "",
                slot->is_traded ? theme_glyph_text(canvas->theme, GLYPH_TRADED) : "");
    draw_text_centred(canvas, cell->row - 2, cell->column, cell->inner,
                      is_playable ? STYLE_KEY : STYLE_DIM, text.at);
}

static void draw_hand_frame_row(const struct canvas *canvas, int row, int column,
                                const struct hand_plan *plan, const enum glyph corners[3])
{
    for (int i = 0; i <= plan->count; i++) {
        int at = column + i * (plan->inner + 1);
        enum glyph glyph = i == 0 ? corners[0] : i == plan->count ? corners[2] : corners[1];
        draw_glyph(canvas, row, at, STYLE_BORDER, glyph);
        if (i < plan->count) {
            draw_horizontal_line(canvas, row, at + 1, plan->inner, GLYPH_HORIZONTAL);
        }
    }
}

static void draw_hand_frame(const struct canvas *canvas, int row, int column,
                            const struct hand_plan *plan)
{
    static const enum glyph top[] = {GLYPH_TOP_LEFT, GLYPH_TEE_TOP, GLYPH_TOP_RIGHT};
    static const enum glyph bottom[] = {GLYPH_BOTTOM_LEFT, GLYPH_TEE_BOTTOM, GLYPH_BOTTOM_RIGHT};
    int lines = count_lines_per_card(plan->style);
    if (plan->count == 0) {
        return;
    }
    draw_hand_frame_row(canvas, row, column, plan, top);
    for (int i = 0; i <= plan->count; i++) {
        draw_vertical_line(canvas, row + 1, column + i * (plan->inner + 1), lines, GLYPH_VERTICAL);
    }
    draw_hand_frame_row(canvas, row + 1 + lines, column, plan, bottom);
}

void hand_draw(const struct canvas *canvas, const struct area *area, const struct hand_plan *plan,
               const struct game_view *view, const struct words *words, int selected_place)
{
    if (view->seat == SPECTATOR || area->height < plan->rows) {
        return;
    }
    const struct view_slot *hand = view->hands[view->seat];
    int left = compute_left_column_of_hand(area, plan, view->slot_count[view->seat]);
    int per_line = count_cards_per_line(plan, area->width);
    bool is_framed = plan->style != HAND_LINES;
    if (is_framed) {
        draw_hand_frame(canvas, area->row + 1, left, plan);
    }
    for (int i = 0; i < plan->count; i++) {
        const struct view_slot *slot = &hand[plan->slots[i]];
        if (slot->is_empty) {
            continue;
        }
        struct hand_cell cell = {.inner = plan->inner};
        struct words own = *words;
        choose_hand_card_style(view, plan->slots[i], i == selected_place, &cell);
        own.is_plain = cell.style == STYLE_DIM || cell.style == STYLE_SELECTED;
        card_make_face(&own, slot, &cell.face);
        if (is_framed) {
            cell.row = area->row + 2;
            cell.column = left + 1 + i * (plan->inner + 1);
            draw_hand_card(canvas, &own, &cell, plan->style);
            draw_key_above_hand_card(canvas, &cell, i, slot, cell.is_bracketed);
        } else {
            cell.row = area->row + i / per_line;
            cell.column = area->column + 2 + i % per_line * (plan->inner + 3);
            draw_formatted_text(canvas, cell.row, cell.column - 2, 2,
                                cell.is_bracketed ? STYLE_KEY : STYLE_DIM,
                                "%c:", hand_keyboard_key_of_place(i));
            draw_hand_card(canvas, &own, &cell, HAND_LINES);
        }
    }
}

int hand_find_place_at(const struct area *area, const struct hand_plan *plan, int row, int column,
                       uint8_t slot_count)
{
    int place;
    if (row < area->row || row >= area->row + area->height || plan->rows > area->height) {
        return -1;
    }
    if (plan->style == HAND_LINES) {
        int per_line = count_cards_per_line(plan, area->width);
        int across = (column - area->column) / (plan->inner + 3);
        place = across < per_line ? (row - area->row) * per_line + across : -1;
    } else {
        int from_left = column - compute_left_column_of_hand(area, plan, slot_count) - 1;
        place = from_left < 0 ? -1 : from_left / (plan->inner + 1);
    }
    return place < plan->count ? place : -1;
}
