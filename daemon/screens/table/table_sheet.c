#include "daemon/screens/table/table_sheet.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/model/model_entered.h"

#define CELL_MAX 160
#define ROUND_WIDTH 3
#define CELL_WIDE 12 /* "2/2 +12  31" */
#define CELL_SHORT 8 /* "+12  31" */
#define CELL_WIDEST 18

struct sheet sheet_make(const struct model_entered *entered, const struct words *words,
                        int selected_row, struct score_row *explained_row)
{
    struct sheet sheet = {
        .words = words,
        .seats = entered->has_view ? entered->view.seats : entered->row.players,
        .rows = entered->sheet,
        .count = entered->sheet_count,
        .selected = selected_row,
    };
    if (selected_row >= 0) {
        model_convert_score_row(&entered->sheet[selected_row], explained_row);
        sheet.explained = explained_row;
    }
    return sheet;
}

static int compute_column_width(const struct area *area, const struct sheet *sheet)
{
    int width = (area->width - ROUND_WIDTH) / sheet->seats;
    return width > CELL_WIDEST ? CELL_WIDEST : width;
}

static const char *write_score_cell(const struct model_sheet_row *row, uint8_t seat, int width,
                                    struct text *out)
{
    if (width >= CELL_WIDE && row->has_bids) {
        text_format(out, "%d/%u %+3d %4d", row->bids[seat], row->tricks[seat], row->points[seat],
                    row->totals[seat]);
    } else if (width >= CELL_WIDE) {
        text_format(out, "%u %+3d %4d", row->tricks[seat], row->points[seat], row->totals[seat]);
    } else if (width >= CELL_SHORT) {
        text_format(out, "%+d %3d", row->points[seat], row->totals[seat]);
    } else {
        text_put_number(out, row->totals[seat]);
    }
    return out->at;
}

static void draw_player_names(const struct canvas *canvas, const struct area *area,
                              const struct sheet *sheet)
{
    int width = compute_column_width(area, sheet);
    for (uint8_t seat = 0; seat < sheet->seats; seat++) {
        draw_text_right_aligned(canvas, area->row, area->column + ROUND_WIDTH + seat * width + 1,
                                width - 1,
                                words_is_own_seat(sheet->words, seat) ? STYLE_YOU : STYLE_STRONG,
                                words_write_seat(sheet->words, seat, &TEXT_OF(CELL_MAX)));
    }
}

static void draw_sheet_row(const struct canvas *canvas, const struct area *area,
                           const struct sheet *sheet, int round_index, int screen_row)
{
    int width = compute_column_width(area, sheet);
    const struct model_sheet_row *round = &sheet->rows[round_index];
    struct text number = TEXT_OF(CELL_MAX);
    enum style style = round_index == sheet->selected ? STYLE_SELECTED : STYLE_PLAIN;
    if (style == STYLE_SELECTED) {
        struct area line = {screen_row, area->column, 1, ROUND_WIDTH + width * sheet->seats};
        draw_filled_area(canvas, &line, style);
    }
    text_put_number(&number, round->round);
    draw_text_right_aligned(canvas, screen_row, area->column, ROUND_WIDTH - 1,
                            style == STYLE_SELECTED ? style : STYLE_DIM, number.at);
    for (uint8_t seat = 0; seat < sheet->seats; seat++) {
        draw_text_right_aligned(canvas, screen_row, area->column + ROUND_WIDTH + seat * width + 1,
                                width - 1, style,
                                write_score_cell(round, seat, width, &TEXT_OF(CELL_MAX)));
    }
}

/* Writes how the player came to the points of the explained round: "ada: bid 2, took 2: 10 + 2". */
static const char *write_points_explanation(const struct sheet *sheet, uint8_t seat,
                                            struct text *out)
{
    words_write_seat(sheet->words, seat, out);
    text_put(out, ": ");
    return words_write_phrase(sheet->words,
                              sheet->words->game->face->explain(sheet->explained, seat), out);
}

static bool do_two_explanations_fit_side_by_side(const struct sheet *sheet, int width)
{
    for (uint8_t seat = 0; seat < sheet->seats; seat++) {
        if (draw_measure_text(write_points_explanation(sheet, seat, &TEXT_OF(CELL_MAX * 2))) >
            width / 2 - 2) {
            return false;
        }
    }
    return true;
}

/* Explains the points of the viewer's seat first, because other seats are left out if there are few
 * rows. */
static void draw_points_explanation(const struct canvas *canvas, const struct area *area,
                                    const struct sheet *sheet)
{
    int columns =
        area->height < sheet->seats && do_two_explanations_fit_side_by_side(sheet, area->width) ? 2
                                                                                                : 1;
    int width = area->width / columns;
    int first = sheet->words->you > 0 ? sheet->words->you : 0;
    for (int i = 0; i < sheet->seats && i / columns < area->height; i++) {
        uint8_t seat = (uint8_t)((first + i) % sheet->seats);
        draw_text(canvas, area->row + i / columns, area->column + i % columns * width + 1,
                  width - 2, words_is_own_seat(sheet->words, seat) ? STYLE_YOU : STYLE_PLAIN,
                  write_points_explanation(sheet, seat, &TEXT_OF(CELL_MAX * 2)));
    }
}

/* Returns how many rows the explanations take. They stand in two columns if there are few rows and
 * two explanations fit side by side. */
static int count_explanation_rows(const struct area *area, const struct sheet *sheet)
{
    if (sheet->selected < 0 || sheet->explained == NULL) {
        return 0;
    }
    int most = area->height - 2;
    bool has_room = most - sheet->seats >= (sheet->count < 6 ? sheet->count : 6);
    int rows = has_room || !do_two_explanations_fit_side_by_side(sheet, area->width)
                   ? sheet->seats
                   : (sheet->seats + 1) / 2;
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
    int explained = count_explanation_rows(area, sheet);
    bool has_gap = explained > 0 && explained < area->height - 2;
    int visible = area->height - 1 - explained - has_gap;
    int top = sheet->count > visible ? sheet->count - visible : 0;
    if (sheet->selected >= 0 && sheet->selected < top) {
        top = sheet->selected;
    }
    draw_player_names(canvas, area, sheet);
    int shown = 0;
    for (; shown < visible && top + shown < sheet->count; shown++) {
        draw_sheet_row(canvas, area, sheet, top + shown, area->row + 1 + shown);
    }
    if (explained > 0) {
        struct area below = {area->row + 1 + has_gap + shown, area->column, explained, area->width};
        draw_points_explanation(canvas, &below, sheet);
    }
    return shown;
}

void sheet_draw_box(const struct canvas *canvas, const struct area *area, const struct sheet *sheet)
{
    struct area inside = {area->row + 1, area->column + 2, area->height - 2, area->width - 4};
    if (sheet != NULL) {
        draw_filled_area(canvas, area, STYLE_PLAIN);
        draw_box(canvas, area, _("Scores"), true);
        (void)sheet_draw(canvas, &inside, sheet);
    }
}
