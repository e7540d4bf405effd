#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

#define CELL_MAX 160
#define ROUND_WIDTH 4 /* the mark of the selected row, the round's number, and a blank */
#define CELL_WIDEST 18
#define WRAP_INDENT 2
#define NAME_ROWS_MAX 4
/* A lower sheet has at most two rows of names, unless it shows all rounds with more. */
#define NAME_ROWS_FULL_FROM 7
/* A lower sheet says what its numbers are only if it has a row to spare. */
#define LEGEND_FROM_HEIGHT 6

struct sheet sheet_make(const struct model_entered *entered, const struct words *words,
                        int selected_row)
{
    return (struct sheet){
        .words = words,
        .seats = entered->has_view ? entered->view.seats : entered->row.players,
        .rows = entered->sheet,
        .count = entered->sheet_count,
        .selected = selected_row,
    };
}

/* The seat whose column has that index: the viewer's column is the first, and the others follow as
 * they sit. */
static uint8_t seat_of_column(const struct sheet *sheet, uint8_t column)
{
    int first = sheet->words->you > 0 ? sheet->words->you : 0;
    return (uint8_t)((first + column) % sheet->seats);
}

static int compute_column_width(const struct area *area, const struct sheet *sheet)
{
    int width = (area->width - ROUND_WIDTH) / (sheet->seats > 0 ? sheet->seats : 1);
    return width > CELL_WIDEST ? CELL_WIDEST : width;
}

/* What a cell contains, from most to least. */
enum cell_form {
    CELL_WITH_TRICKS, /* "2/2 +12  31", without bids "2 +12  31" */
    CELL_WITH_POINTS, /* "+12  31" */
    CELL_OF_TOTAL,
};

static const char *write_score_cell(const struct score_row *row, uint8_t seat, enum cell_form form,
                                    struct text *out)
{
    struct text points = TEXT_OF(32);
    text_format(&points, row->points[seat] != 0 ? "%+d" : "%d", row->points[seat]);
    if (form == CELL_WITH_TRICKS && row->has_bids) {
        text_format(out, "%d/%u %3s %4d", row->bids[seat], row->tricks[seat], points.at,
                    row->totals[seat]);
    } else if (form == CELL_WITH_TRICKS) {
        text_format(out, "%u %3s %4d", row->tricks[seat], points.at, row->totals[seat]);
    } else if (form == CELL_WITH_POINTS) {
        text_format(out, "%s %3d", points.at, row->totals[seat]);
    } else {
        text_put_number(out, row->totals[seat]);
    }
    return out->at;
}

static bool do_all_cells_fit(const struct sheet *sheet, enum cell_form form, int width)
{
    for (int i = 0; i < sheet->count * sheet->seats; i++) {
        const struct score_row *row = &sheet->rows[i / sheet->seats];
        const char *cell =
            write_score_cell(row, (uint8_t)(i % sheet->seats), form, &TEXT_OF(CELL_MAX));
        if (draw_measure_text(cell) >= width) {
            return false;
        }
    }
    return true;
}

/* Returns the form with the most content in which no cell of the sheet is cut. */
static enum cell_form choose_cell_form(const struct area *area, const struct sheet *sheet)
{
    int width = compute_column_width(area, sheet);
    enum cell_form form = CELL_WITH_TRICKS;
    while (form < CELL_OF_TOTAL && !do_all_cells_fit(sheet, form, width)) {
        form++;
    }
    return form;
}

/* Returns how many rows the names need: more than one if some name is wider than its column. */
static int count_name_rows(const struct area *area, const struct sheet *sheet)
{
    int width = compute_column_width(area, sheet);
    bool is_low = area->height > 0 && area->height < NAME_ROWS_FULL_FROM &&
                  area->height < sheet->count + NAME_ROWS_MAX;
    int most = is_low ? 2 : NAME_ROWS_MAX;
    int rows = 1;
    for (uint8_t seat = 0; seat < sheet->seats; seat++) {
        int name = draw_measure_text(words_write_seat(sheet->words, seat, &TEXT_OF(CELL_MAX)));
        while (rows < most && name >= rows * width) {
            rows++;
        }
    }
    return rows;
}

/* Draws each name above the right end of its column. In n rows, each row has every
 * n-th name, so that a name has room for n columns. */
static void draw_player_names(const struct canvas *canvas, const struct area *area,
                              const struct sheet *sheet)
{
    int width = compute_column_width(area, sheet);
    int rows = count_name_rows(area, sheet);
    for (uint8_t i = 0; i < sheet->seats; i++) {
        uint8_t seat = seat_of_column(sheet, i);
        int end = area->column + ROUND_WIDTH + (i + 1) * width;
        int room = (i < rows ? i + 1 : rows) * width + (i < rows ? ROUND_WIDTH : 0) - 1;
        draw_text_right_aligned(canvas, area->row + i % rows, end - room, room,
                                words_is_own_seat(sheet->words, seat) ? STYLE_YOU : STYLE_STRONG,
                                words_write_seat(sheet->words, seat, &TEXT_OF(CELL_MAX)));
    }
}

static void draw_sheet_row(const struct canvas *canvas, const struct area *area,
                           const struct sheet *sheet, int round_index, int screen_row)
{
    int width = compute_column_width(area, sheet);
    const struct score_row *round = &sheet->rows[round_index];
    enum cell_form form = choose_cell_form(area, sheet);
    enum style style = round_index == sheet->selected ? STYLE_SELECTED : STYLE_PLAIN;
    if (style == STYLE_SELECTED) {
        struct area line = {screen_row, area->column, 1, ROUND_WIDTH + width * sheet->seats};
        draw_filled_area(canvas, &line, style);
        draw_text(canvas, screen_row, area->column, 1, style, ">");
    }
    draw_text_right_aligned(canvas, screen_row, area->column + 1, ROUND_WIDTH - 2,
                            style == STYLE_SELECTED ? style : STYLE_DIM,
                            text_format(&TEXT_OF(CELL_MAX), "%u", round->round));
    for (uint8_t i = 0; i < sheet->seats; i++) {
        uint8_t seat = seat_of_column(sheet, i);
        draw_text_right_aligned(canvas, screen_row, area->column + ROUND_WIDTH + i * width + 1,
                                width - 1, style,
                                write_score_cell(round, seat, form, &TEXT_OF(CELL_MAX)));
    }
}

/* Writes how the player came to the points of the explained round: "ada: bid 2, took 2: 10 + 2". */
static const char *write_points_explanation(const struct sheet *sheet, uint8_t seat,
                                            struct text *out)
{
    words_write_seat(sheet->words, seat, out);
    text_put(out, ": ");
    const struct score_row *row = &sheet->rows[sheet->selected];
    return words_write_phrase(sheet->words, sheet->words->game->face->explain(row, seat), out);
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

/* How the explanations below the rounds are laid out. */
struct explanation_plan {
    int rows;    /* rows that all explanations need */
    int columns; /* 2: side by side, each in one row */
    int height;  /* rows that the area has for them */
};

/* Draws the explanations one below the other, without the first `skipped_rows` rows; a long one is
 * wrapped. Returns how many rows they need. If canvas is NULL, only
 * counts the rows. */
static int draw_wrapped_explanations(const struct canvas *canvas, const struct area *area,
                                     const struct sheet *sheet, int skipped_rows)
{
    int at = -skipped_rows;
    for (uint8_t i = 0; i < sheet->seats; i++) {
        uint8_t seat = seat_of_column(sheet, i);
        struct text text = TEXT_OF(CELL_MAX * 2);
        struct area part = {area->row, area->column + 1, area->height, area->width - 2};
        write_points_explanation(sheet, seat, &text);
        at += draw_wrapped_text(canvas, &part,
                                words_is_own_seat(sheet->words, seat) ? STYLE_YOU : STYLE_PLAIN,
                                text.at, -at, WRAP_INDENT);
    }
    return at + skipped_rows;
}

static const char *choose_legend(const struct area *area, const struct sheet *sheet)
{
    enum cell_form form = choose_cell_form(area, sheet);
    return form == CELL_WITH_TRICKS && sheet->rows[0].has_bids
               ? _("each round: bid/won, points, total")
           : form == CELL_WITH_TRICKS ? _("each round: won, points, total")
           : form == CELL_WITH_POINTS ? _("each round: points, total")
                                      : _("each round: total");
}

/* The sheet has a legend above the names if there is room: it says what the numbers are. */
static int count_legend_rows(const struct area *area, const struct sheet *sheet)
{
    bool all_rounds_fit =
        sheet->selected < 0 && area->height > sheet->count + count_name_rows(area, sheet);
    return (area->height >= LEGEND_FROM_HEIGHT || all_rounds_fit) &&
           draw_measure_text(choose_legend(area, sheet)) <= area->width - 2;
}

/* Plans the explanations. They stand in two columns if there are few rows and two explanations fit
 * side by side. At least one round stays in sight, and a heading above the explanations. */
static struct explanation_plan plan_explanations(const struct area *area, const struct sheet *sheet)
{
    struct explanation_plan plan = {.columns = 1};
    if (sheet->selected < 0 || area->height < 4) {
        return plan;
    }
    int most = area->height - 2 - count_name_rows(area, sheet) - count_legend_rows(area, sheet);
    plan.rows = draw_wrapped_explanations(NULL, area, sheet, 0);
    bool has_room = most - plan.rows >= (sheet->count < 6 ? sheet->count : 6);
    if (!has_room && do_two_explanations_fit_side_by_side(sheet, area->width)) {
        plan.columns = 2;
        plan.rows = (sheet->seats + 1) / 2;
    }
    most = most > 0 ? most : 0;
    plan.height = plan.rows > most ? most : plan.rows;
    return plan;
}

int sheet_count_box_rows(const struct sheet *sheet, int width)
{
    const struct area inside = {.width = width - 4};
    int frame_and_legend = 3, gap_and_heading = 2;
    int rows = sheet->count + frame_and_legend + count_name_rows(&inside, sheet);
    if (sheet->selected < 0) {
        return rows;
    }
    return rows + gap_and_heading + draw_wrapped_explanations(NULL, &inside, sheet, 0);
}

/* Draws the explanations below the rounds, with a heading that says which round they explain. */
static void draw_explanations(const struct canvas *canvas, const struct area *area,
                              const struct sheet *sheet, const struct explanation_plan *plan)
{
    struct area below = {area->row + 1, area->column, plan->height, area->width};
    draw_formatted_text(canvas, area->row, area->column + 1, area->width - 2, STYLE_STRONG,
                        _("Round %u:"), sheet->rows[sheet->selected].round);
    if (plan->columns == 1) {
        (void)draw_wrapped_explanations(canvas, &below, sheet, sheet->skipped_rows);
        return;
    }
    for (uint8_t i = 0; i < sheet->seats && i / 2 < below.height; i++) {
        uint8_t seat = seat_of_column(sheet, i);
        int width = below.width / 2;
        draw_text(canvas, below.row + i / 2, below.column + i % 2 * width + 1, width - 2,
                  words_is_own_seat(sheet->words, seat) ? STYLE_YOU : STYLE_PLAIN,
                  write_points_explanation(sheet, seat, &TEXT_OF(CELL_MAX * 2)));
    }
}

/* Fills the area with the explanation and as many rounds as fit beside it: the selected round and
 * its neighbours, or the last rounds. Returns the number of rounds shown. */
static int sheet_draw(const struct canvas *canvas, const struct area *area,
                      const struct sheet *sheet)
{
    if (area->height < 2 || sheet->seats == 0) {
        return 0;
    }
    if (sheet->count == 0) {
        draw_text(canvas, area->row, area->column + 1, area->width - 2, STYLE_DIM,
                  _("No round is finished yet."));
        return 0;
    }
    struct explanation_plan plan = plan_explanations(area, sheet);
    int legend = count_legend_rows(area, sheet);
    if (legend > 0) {
        draw_text(canvas, area->row, area->column + 1, area->width - 2, STYLE_DIM,
                  choose_legend(area, sheet));
    }
    struct area table = {area->row + legend, area->column, area->height - legend, area->width};
    int names = count_name_rows(area, sheet);
    int explained = plan.height > 0 ? plan.height + 1 : 0;
    bool has_gap = explained > 0 && table.height - names - explained > 1;
    int visible = table.height - names - explained - has_gap;
    int top = sheet->count > visible ? sheet->count - visible : 0;
    if (sheet->selected >= 0 && sheet->selected < top) {
        top = sheet->selected;
    }
    draw_player_names(canvas, &table, sheet);
    int shown = 0;
    for (; shown < visible && top + shown < sheet->count; shown++) {
        draw_sheet_row(canvas, area, sheet, top + shown, table.row + names + shown);
    }
    if (explained > 0) {
        struct area below = {table.row + names + has_gap + shown, area->column, explained,
                             area->width};
        draw_explanations(canvas, &below, sheet, &plan);
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
        if (sheet->closing != NULL) {
            draw_title(canvas, area->row + area->height - 1, area->column, area->width,
                       sheet->closing, false);
        }
    }
}

/* The screen that shows the whole score sheet of the entered table and explains the selected
 * round. */

#define HEIGHT_WITH_COMMITMENT 15 /* a lower sheet has no rows to spare for the commitment */

struct sheet_state {
    struct list list;
    uint16_t
        seen; /* number of rounds at the last draw; if it has grown, the new round is selected */
    int skipped_rows; /* rows of the explanations that are scrolled out of sight */
    int hidden_rows;  /* rows of the explanations that did not fit at the last draw */
    int shown_rows;   /* rows of the explanations that did fit */
};

static const char *commitment_label(void)
{
    return _("deal: the seed was fixed before the first card; its commitment is");
}

/* Takes the rows at the bottom of the screen in which the commitment of the deal is shown from the
 * rows of the sheet. Returns an area without rows if the screen is too small for both, or the deal
 * has no commitment. */
static struct area split_off_commitment_rows(struct area *inside,
                                             const struct model_entered *entered)
{
    struct area rows = {inside->row + inside->height + 1, inside->column, 0, inside->width};
    const char *commitment = entered->details.commitment;
    int hash = draw_measure_text(commitment), label = draw_measure_text(commitment_label());
    if (hash > 0 && hash <= inside->width && label <= inside->width &&
        inside->height >= HEIGHT_WITH_COMMITMENT) {
        rows.height = label + 1 + hash <= inside->width ? 1 : 2;
        rows.row -= rows.height;
        inside->height -= rows.height - 1;
    }
    return rows;
}

static void draw_score_sheet_screen(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct sheet_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct area *body = &canvas->body;
    if (entered == NULL) {
        draw_text_centred(canvas, body->row + 2, body->column, body->width, STYLE_DIM,
                          _("You have left the table."));
        return;
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    struct area inside = {body->row + 2, body->column + 2, body->height - 3, body->width - 4};
    struct area commitment = split_off_commitment_rows(&inside, entered);
    draw_header(canvas,
                text_format(&TEXT_OF(TABLE_TEXT), _("#%lld %s: scores"), (long long)entered->row.id,
                            _(entered->row.game->title)),
                "");
    if (state->seen != entered->sheet_count) {
        state->seen = entered->sheet_count;
        state->list.selected = state->seen - 1;
    }
    list_set_size(&state->list, entered->sheet_count, inside.height);
    int selected = entered->sheet_count > 0 ? state->list.selected : -1;
    struct sheet sheet = sheet_make(entered, &words, selected);
    const struct explanation_plan plan = plan_explanations(&inside, &sheet);
    state->shown_rows = plan.height;
    state->hidden_rows = plan.rows - plan.height;
    if (state->skipped_rows > state->hidden_rows) {
        state->skipped_rows = state->hidden_rows;
    }
    sheet.skipped_rows = state->skipped_rows;
    int visible = sheet_draw(canvas, &inside, &sheet);
    if (visible > 0) {
        list_set_size(&state->list, entered->sheet_count, visible);
    }
    if (commitment.height > 0) {
        (void)draw_wrapped_text(canvas, &commitment, STYLE_DIM,
                                text_format(&TEXT_OF(TABLE_TEXT), "%s %s", commitment_label(),
                                            entered->details.commitment),
                                0, 0);
    }
}

static bool handle_score_sheet_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct sheet_state *state = opaque;
    if (press->kind == PRESS_ENTER || (press->kind == PRESS_CHAR && press->code == 's')) {
        screen_close(ui);
        return true;
    }
    if (state->hidden_rows > 0 &&
        (press->kind == PRESS_PAGE_DOWN || press->kind == PRESS_PAGE_UP)) {
        /* the next draw limits the rows that are skipped to those that are hidden */
        int skipped = state->skipped_rows +
                      (press->kind == PRESS_PAGE_DOWN ? state->shown_rows : -state->shown_rows);
        state->skipped_rows = skipped > 0 ? skipped : 0;
        return true;
    }
    return list_handle_key(&state->list, press);
}

static void sheet_add_hints(UNUSED struct ui *ui, void *opaque, struct hints *hints)
{
    const struct sheet_state *state = opaque;
    if (state->list.count > 0) {
        hints_add(hints, "↑ ↓", _("explain a round"));
    }
    if (state->hidden_rows > 0) {
        hints_add(hints, "PgDn PgUp", _("all explanations"));
    }
}

static bool print_score_sheet(struct ui *ui, UNUSED void *opaque, struct lines *lines)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || !entered->has_view || entered->sheet_count == 0) {
        lines_put(lines, _("No round is finished yet."));
        return true;
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    for (int i = 0; i < entered->sheet_count; i++) {
        game_print_score(&entered->sheet[i], &entered->view, &words, lines);
    }
    return true;
}

static const struct screen_key sheet_keys[] = {
    {"↑ ↓", N_("choose the round that is explained"), NULL, NULL},
    {"PgDn PgUp", N_("show the explanations that do not fit"), NULL, NULL},
    {"s q", N_("back to the table"), NULL, NULL},
    {"?", NULL, NULL, N_("help")},
    {"q", NULL, NULL, N_("back to the table")},
    {NULL, NULL, NULL, NULL},
};

const struct screen sheet_screen = {
    .name = "sheet",
    .title = N_("Score sheet"),
    .state_size = sizeof(struct sheet_state),
    .keys = sheet_keys,
    .draw = draw_score_sheet_screen,
    .key = handle_score_sheet_key,
    .hints = sheet_add_hints,
    .print = print_score_sheet,
};
