#include "daemon/screens/table/table_sheet.h"

#include "daemon/base/i18n.h"

#include <stdio.h>

#define CELL_MAX 160
#define ROUND_WIDTH 3
#define CELL_WIDE 12 /* "2/2 +12  31" */
#define CELL_SHORT 8 /* "+12  31" */
#define CELL_WIDEST 18

static int seat_width(const struct area *area, const struct sheet *sheet)
{
    int width = (area->width - ROUND_WIDTH) / sheet->seats;
    return width > CELL_WIDEST ? CELL_WIDEST : width;
}

static void cell_text(const struct model_sheet_row *row, uint8_t seat, int width, struct text *out)
{
    char cell[CELL_MAX];
    if (width >= CELL_WIDE && row->has_bids) {
        snprintf(cell, sizeof(cell), "%d/%u %+3d %4d", row->bids[seat], row->tricks[seat],
                 row->points[seat], row->totals[seat]);
    } else if (width >= CELL_WIDE) {
        snprintf(cell, sizeof(cell), "%u %+3d %4d", row->tricks[seat], row->points[seat],
                 row->totals[seat]);
    } else if (width >= CELL_SHORT) {
        snprintf(cell, sizeof(cell), "%+d %3d", row->points[seat], row->totals[seat]);
    } else {
        snprintf(cell, sizeof(cell), "%d", row->totals[seat]);
    }
    text_put(out, cell);
}

static void draw_names(const struct canvas *canvas, const struct area *area,
                       const struct sheet *sheet)
{
    int width = seat_width(area, sheet);
    for (uint8_t seat = 0; seat < sheet->seats; seat++) {
        char name[CELL_MAX];
        struct text text = text_init(name, sizeof(name));
        words_write_seat(sheet->words, seat, &text);
        enum style style = words_is_own_seat(sheet->words, seat) ? STYLE_YOU : STYLE_STRONG;
        draw_text_right_aligned(canvas, area->row, area->column + ROUND_WIDTH + seat * width + 1,
                                width - 1, style, name);
    }
}

static void draw_row(const struct canvas *canvas, const struct area *area,
                     const struct sheet *sheet, int index, int row)
{
    int width = seat_width(area, sheet);
    const struct model_sheet_row *round = &sheet->rows[index];
    enum style style = index == sheet->selected ? STYLE_SELECTED : STYLE_PLAIN;
    if (style == STYLE_SELECTED) {
        struct area line = {row, area->column, 1, ROUND_WIDTH + width * sheet->seats};
        draw_filled_area(canvas, &line, style);
    }
    char number[CELL_MAX];
    snprintf(number, sizeof(number), "%u", round->round);
    draw_text_right_aligned(canvas, row, area->column, ROUND_WIDTH - 1,
                            style == STYLE_SELECTED ? style : STYLE_DIM, number);
    for (uint8_t seat = 0; seat < sheet->seats; seat++) {
        char cell[CELL_MAX];
        struct text text = text_init(cell, sizeof(cell));
        cell_text(round, seat, width, &text);
        draw_text_right_aligned(canvas, row, area->column + ROUND_WIDTH + seat * width + 1,
                                width - 1, style, cell);
    }
}

/* "ada: bid 2, took 2: 10 + 2" */
static void explain_seat(const struct sheet *sheet, uint8_t seat, struct text *out)
{
    struct phrase why = sheet->words->game->face->explain(sheet->explained, seat);
    words_write_seat(sheet->words, seat, out);
    text_put(out, ": ");
    words_write_phrase(sheet->words, &why, out);
}

/* Whether each fits beside another one. */
static bool fits_in_half(const struct sheet *sheet, int width)
{
    for (uint8_t seat = 0; seat < sheet->seats; seat++) {
        char line[CELL_MAX * 2];
        struct text text = text_init(line, sizeof(line));
        explain_seat(sheet, seat, &text);
        if (draw_text_width(line) > width / 2 - 2) {
            return false;
        }
    }
    return true;
}

static void draw_explanation(const struct canvas *canvas, const struct area *area,
                             const struct sheet *sheet)
{
    int columns = area->height < sheet->seats && fits_in_half(sheet, area->width) ? 2 : 1;
    int width = area->width / columns;
    int first = sheet->words->you > 0 ? sheet->words->you : 0;
    for (int i = 0; i < sheet->seats; i++) {
        /* One's own seat first: with few rows the others are left out. */
        uint8_t seat = (uint8_t)((first + i) % sheet->seats);
        char line[CELL_MAX * 2];
        struct text text = text_init(line, sizeof(line));
        int row = i / columns;
        if (row >= area->height) {
            break;
        }
        explain_seat(sheet, seat, &text);
        draw_text(canvas, area->row + row, area->column + i % columns * width + 1, width - 2,
                  words_is_own_seat(sheet->words, seat) ? STYLE_YOU : STYLE_PLAIN, line);
    }
}

/* Rows the explanation takes: seats stand in two columns where there are few rows and they fit. */
static int explanation_rows(const struct area *area, const struct sheet *sheet)
{
    if (sheet->selected < 0 || sheet->explained == NULL) {
        return 0;
    }
    int one = sheet->seats;
    int two = (sheet->seats + 1) / 2;
    bool has_room = area->height - 2 - one >= (sheet->count < 6 ? sheet->count : 6);
    int rows = has_room || !fits_in_half(sheet, area->width) ? one : two;
    int most = area->height - 2;
    return rows > most ? (most > 0 ? most : 0) : rows;
}

int sheet_draw(const struct canvas *canvas, const struct area *area, const struct sheet *sheet)
{
    if (area->height < 2 || sheet->seats == 0) {
        return 0;
    }
    if (sheet->count == 0) {
        draw_text(canvas, area->row, area->column + 1, area->width - 2, STYLE_DIM,
                  _("No round is finished yet."));
        return 0;
    }
    int explained = explanation_rows(area, sheet);
    bool has_gap = explained > 0 && explained < area->height - 2;
    int visible = area->height - 1 - explained - has_gap;
    int top = sheet->count > visible ? sheet->count - visible : 0;
    if (sheet->selected >= 0 && sheet->selected < top) {
        top = sheet->selected;
    }
    draw_names(canvas, area, sheet);
    int shown = 0;
    for (; shown < visible && top + shown < sheet->count; shown++) {
        draw_row(canvas, area, sheet, top + shown, area->row + 1 + shown);
    }
    if (explained > 0) {
        struct area below = {area->row + 1 + has_gap + shown, area->column, explained, area->width};
        draw_explanation(canvas, &below, sheet);
    }
    return shown;
}
