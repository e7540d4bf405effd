#include "daemon/screens/table/choosing.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"

#include <string.h>

#define LABEL_BYTES 100
#define LINE_BYTES 400

void order_change_plan(const struct face_order *order, struct hand_plan *plan)
{
    memcpy(plan->slots, order->slots, sizeof(plan->slots));
    plan->has_no_keys = true;
    plan->rows++;
}

/* Writes the label of a suit: the longest of "2 yellow", "2 Y" and "Y" that fits. The picked suit
 * stands in brackets. */
static void write_suit_label(const struct order_picture *picture, int suit_place, int width,
                             struct text *out)
{
    const struct suit_def *suit =
        &picture->words->game->deck->suits[picture->order->suits[suit_place]];
    const char *const names[] = {_(suit->title), _(suit->letters), _(suit->letters)};
    bool is_picked = suit_place == picture->picked;
    for (size_t form = 0; form < ARRAY_LEN(names); form++) {
        *out = text_init(out->at, out->cap);
        text_put_char(out, is_picked ? '[' : ' ');
        if (picture->is_asked && form < 2) {
            text_format(out, "%d ", suit_place + 1);
        }
        text_put(out, names[form]);
        text_put(out, is_picked ? "]" : "");
        if (draw_measure_text(out->at) <= width) {
            return;
        }
    }
}

/* Draws the label of a suit into the row; returns how many columns it takes. */
static int draw_suit_label(const struct canvas *canvas, const struct area *row,
                           const struct order_picture *picture, int suit_place)
{
    struct text label = TEXT_OF(LABEL_BYTES);
    const struct deck_def *deck = picture->words->game->deck;
    uint8_t tint = deck->suits[picture->order->suits[suit_place]].tint;
    write_suit_label(picture, suit_place, row->width, &label);
    return draw_text(
        canvas, row->row, row->column, row->width,
        suit_place == picture->picked ? STYLE_SELECTED : (enum style)(STYLE_TINT + tint), label.at);
}

/* Draws the labels of all suits in one row, for hands that do not fit one row themselves. */
static void draw_labels_in_a_row(const struct canvas *canvas, const struct area *row,
                                 const struct order_picture *picture)
{
    struct area rest = *row;
    for (int i = 0; i < picture->order->suit_count && rest.width > 0; i++) {
        int used = 1 + draw_suit_label(canvas, &rest, picture, i);
        rest.column += used;
        rest.width -= used;
    }
}

/* Draws the label of each suit above the first of its cards. */
static void draw_labels_above_cards(const struct canvas *canvas, const struct area *area,
                                    const struct hand_plan *plan,
                                    const struct order_picture *picture)
{
    for (int first = 0; first < plan->count;) {
        int suit_place = order_find_suit_of_place(picture->view, picture->order, first);
        int end = first + 1;
        while (end < plan->count &&
               order_find_suit_of_place(picture->view, picture->order, end) == suit_place) {
            end++;
        }
        struct area at = hand_find_cell(area, plan, first, plan->count);
        struct area last = hand_find_cell(area, plan, end - 1, plan->count);
        at.row = area->row;
        at.width = last.column + last.width - at.column;
        if (suit_place >= 0) {
            int used = draw_suit_label(canvas, &at, picture, suit_place) + 1;
            draw_horizontal_line(canvas, at.row, at.column + used, at.width - used,
                                 GLYPH_HORIZONTAL);
        }
        first = end;
    }
}

bool order_has_marks(const struct hand_plan *plan, const struct area *area)
{
    return area->height >= plan->rows && plan->style != HAND_LINES;
}

void order_draw(const struct canvas *canvas, const struct area *area, const struct hand_plan *plan,
                const struct order_picture *picture)
{
    if (area->height < plan->rows) {
        return;
    }
    struct area below = {area->row + plan->rows - 1, area->column + 1, 1, area->width - 2};
    if (plan->style == HAND_LINES) {
        draw_labels_in_a_row(canvas, &below, picture);
        return;
    }
    draw_labels_above_cards(canvas, area, plan, picture);
    for (int place = 0; place < plan->count; place++) {
        struct area cell = hand_find_cell(area, plan, place, plan->count);
        if ((picture->order->seen >> place & 1) != 0) {
            draw_text_centred(canvas, below.row, cell.column, cell.width, STYLE_TURN,
                              theme_glyph_text(canvas->theme, GLYPH_ARROW_UP));
        }
    }
}

const char *order_write_seen_cards(const struct game_view *view, const struct words *words,
                                   const struct face_order *order, int width, struct text *out)
{
    char cards[SLOTS_MAX][LABEL_BYTES];
    const char *names[SLOTS_MAX];
    struct text list = TEXT_OF(LINE_BYTES);
    size_t count = 0;
    for (uint8_t place = 0; place < view->slot_count[view->seat]; place++) {
        if ((order->seen >> place & 1) != 0) {
            struct text card = text_init(cards[count], LABEL_BYTES);
            names[count++] =
                words_write_card(words, view->hands[view->seat][order->slots[place]].card, &card);
        }
    }
    text_put_list(&list, names, count);
    const char *holder = words_write_seat(words, order->holder, &TEXT_OF(LINE_BYTES));
    struct text line = TEXT_OF(2 * LINE_BYTES);
    text_format(&line, _("%s will see only %s; everybody else sees the other cards"), holder,
                list.at);
    if (draw_measure_text(line.at) > width) {
        line = text_init(line.at, line.cap);
        text_format(&line, _("%s will see only %s"), holder, list.at);
    }
    text_put(out, line.at);
    return out->at;
}
