#include "daemon/screens/table/choosing.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"

#include <string.h>

#define LABEL_MAX 200
#define KEY_WIDTH 4
#define GRID_SUIT 5 /* width of a suit's name and the blank after it, in columns */
#define GRID_CELL 4 /* "[12]" */
#define TOO_MANY 1000

static void remember_click_area(const struct choices *choices, struct choice_cursor *cursor,
                                int index, const struct area *at)
{
    cursor->spots[index] = (struct choice_spot){
        .move = choices->moves[index],
        .row = (int16_t)at->row,
        .column = (int16_t)at->column,
        .width = (int16_t)at->width,
    };
}

/* Writes a choice's label. An allowed choice stands in brackets, so that it can be recognised on
 * monochrome screens too. */
static enum style write_choice_label(const struct choices *choices,
                                     const struct choice_cursor *cursor, int index,
                                     const struct game_view *view, const struct words *words,
                                     struct text *out)
{
    bool is_legal = move_set_has(&view->legal, choices->moves[index]);
    bool is_selected = index == cursor->selected;
    struct words own = *words;
    own.is_plain = !is_legal || is_selected;
    text_put(out, is_legal ? "[" : " ");
    words_write_phrase(&own, view->game->face->label(view, choices->moves[index]), out);
    text_put(out, is_legal ? "]" : " ");
    return is_selected ? STYLE_SELECTED : is_legal ? STYLE_CARD : STYLE_DIM;
}

/* Returns the width of the key before a choice in a row; 0 if the label itself is typed. */
static int measure_key_width_in_row(const struct choices *choices, int index)
{
    return choices->keys == CHOICE_NUMBERS ? 0 : draw_measure_text(choices->typed[index]) + 1;
}

int choices_measure_row_width(const struct choices *choices, const struct game_view *view,
                              const struct words *words)
{
    const struct choice_cursor none = choices_make_empty_cursor();
    int width = 0;
    for (int i = 0; i < choices->count; i++) {
        struct text buffer = TEXT_OF(LABEL_MAX);
        (void)write_choice_label(choices, &none, i, view, words, &buffer);
        width +=
            measure_key_width_in_row(choices, i) + draw_measure_text(buffer.at) + (i > 0 ? 1 : 0);
    }
    return width;
}

int choices_draw_rows(const struct canvas *canvas, const struct area *area,
                      const struct choices *choices, struct choice_cursor *cursor,
                      const struct game_view *view, const struct words *words)
{
    int row = 0;
    int at = 0;
    if (choices->has_pairs) {
        return pairs_draw_rows(canvas, area, choices, cursor, view, words);
    }
    if (canvas != NULL) {
        memset(cursor->spots, 0, sizeof(cursor->spots));
    }
    for (int i = 0; i < choices->count; i++) {
        struct text buffer = TEXT_OF(LABEL_MAX);
        enum style style = write_choice_label(choices, cursor, i, view, words, &buffer);
        int key = measure_key_width_in_row(choices, i);
        int width = key + draw_measure_text(buffer.at);
        if (at > 0 && at + width > area->width) {
            row++;
            at = 0;
        }
        if (canvas != NULL && row < area->height) {
            int column = area->column + at;
            remember_click_area(choices, cursor, i,
                                &(struct area){area->row + row, column, 1, width});
            draw_text(canvas, area->row + row, column, key > 0 ? key - 1 : 0, STYLE_KEY,
                      choices->typed[i]);
            draw_text(canvas, area->row + row, column + key, area->width - at - key, style,
                      buffer.at);
        }
        at += width + 1;
    }
    return row + 1;
}

void choices_write_pending(const struct choices *choices, const struct choice_cursor *cursor,
                           const struct game_view *view, const struct words *words,
                           struct text *out)
{
    struct text label = TEXT_OF(LABEL_MAX);
    if (cursor->typed[0] == '\0' || choices->has_pairs) {
        return; /* pairs_draw_rows writes numbers that may become two */
    }
    if (cursor->selected < 0 || cursor->selected >= choices->count) {
        text_format(out, _("%s_  goes on"), cursor->typed);
        return;
    }
    uint8_t move = choices->moves[cursor->selected];
    words_write_phrase(words, view->game->face->label(view, move), &label);
    text_format(out, _("%s_  Enter confirms %s"), cursor->typed, label.at);
}

static int measure_widest_label(const struct choices *choices, const struct game_view *view,
                                const struct words *words)
{
    const struct choice_cursor none = choices_make_empty_cursor();
    int widest = 1;
    for (int i = 0; i < choices->count; i++) {
        struct text buffer = TEXT_OF(LABEL_MAX);
        (void)write_choice_label(choices, &none, i, view, words, &buffer);
        int width = draw_measure_text(buffer.at);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Returns the width of a grid's row: the suit's name, then its values as "[1] [2] 3 ". */
static int measure_grid_width(const struct choices *choices)
{
    return GRID_SUIT + choices->across * GRID_CELL;
}

static void draw_grid_cell(const struct canvas *canvas, const struct area *cell,
                           const struct choices *choices, struct choice_cursor *cursor, int index,
                           const struct game_view *view)
{
    bool is_legal = move_set_has(&view->legal, choices->moves[index]);
    struct text text = TEXT_OF(LABEL_MAX);
    text_format(&text, is_legal ? "[%s]" : " %s ", choices->typed[index]);
    remember_click_area(choices, cursor, index, cell);
    draw_text_right_aligned(canvas, cell->row, cell->column, cell->width,
                            index == cursor->selected ? STYLE_SELECTED
                            : is_legal                ? STYLE_CARD
                                                      : STYLE_DIM,
                            text.at);
}

static void draw_grid(const struct canvas *canvas, const struct area *area,
                      const struct choices *choices, struct choice_cursor *cursor,
                      const struct game_view *view, const struct words *words)
{
    for (int i = cursor->top * choices->across; i < choices->count; i++) {
        int row = i / choices->across - cursor->top;
        int column = i % choices->across;
        if (row >= area->height) {
            break;
        }
        if (column == 0) {
            struct text suit = TEXT_OF(LABEL_MAX);
            struct phrase label = view->game->face->label(view, choices->moves[i]);
            words_write_suit(words, card_suit(view->game->deck, (uint8_t)label.args[0].number),
                             &suit);
            draw_text_right_aligned(canvas, area->row + row, area->column, GRID_SUIT - 1,
                                    STYLE_PLAIN, suit.at);
        }
        struct area cell = {area->row + row, area->column + GRID_SUIT + column * GRID_CELL, 1,
                            GRID_CELL};
        draw_grid_cell(canvas, &cell, choices, cursor, i, view);
    }
}

static int measure_key_width_in_list(const struct choices *choices)
{
    return choices->keys == CHOICE_NUMBERS ? 0 : KEY_WIDTH;
}

static int count_list_columns(const struct choices *choices, int cell_width, int width)
{
    int across = width / cell_width > 0 ? width / cell_width : 1;
    return across > choices->count && choices->count > 0 ? choices->count : across;
}

int choices_count_list_rows(const struct choices *choices, const struct game_view *view,
                            const struct words *words, int width)
{
    if (choices->keys == CHOICE_GRID) {
        return measure_grid_width(choices) <= width ? choices->count / choices->across : TOO_MANY;
    }
    int cell = measure_key_width_in_list(choices) + measure_widest_label(choices, view, words) + 1;
    int across = count_list_columns(choices, cell, width);
    return (choices->count + across - 1) / across;
}

static void scroll_list_to_cursor(struct choice_cursor *cursor, int row_count, int visible_rows)
{
    int rows = (row_count + cursor->across - 1) / cursor->across;
    struct list list = {.top = cursor->top,
                        .selected = cursor->selected < 0 ? 0 : cursor->selected / cursor->across};
    list_set_size(&list, rows, visible_rows);
    cursor->top = list.top;
}

void choices_draw_list(const struct canvas *canvas, const struct area *area,
                       const struct choices *choices, struct choice_cursor *cursor,
                       const struct game_view *view, const struct words *words)
{
    draw_filled_area(canvas, area, STYLE_PLAIN);
    memset(cursor->spots, 0, sizeof(cursor->spots));
    if (choices->keys == CHOICE_GRID) {
        cursor->across = choices->across;
        scroll_list_to_cursor(cursor, choices->count, area->height);
        draw_grid(canvas, area, choices, cursor, view, words);
        return;
    }
    int key = measure_key_width_in_list(choices);
    int cell = key + measure_widest_label(choices, view, words) + 1;
    cursor->across = count_list_columns(choices, cell, area->width);
    scroll_list_to_cursor(cursor, choices->count, area->height);
    if (cell > area->width) {
        cell = area->width;
    }
    for (int i = cursor->top * cursor->across; i < choices->count; i++) {
        int row = i / cursor->across - cursor->top;
        int column = area->column + i % cursor->across * cell;
        if (row >= area->height) {
            break;
        }
        struct text buffer = TEXT_OF(LABEL_MAX);
        if (key > 0) {
            draw_text_right_aligned(canvas, area->row + row, column, key - 1, STYLE_KEY,
                                    choices->typed[i]);
        }
        enum style style = write_choice_label(choices, cursor, i, view, words, &buffer);
        remember_click_area(choices, cursor, i, &(struct area){area->row + row, column, 1, cell});
        draw_text(canvas, area->row + row, column + key, cell - key, style, buffer.at);
    }
}
