#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"

/* The screen that shows the whole score sheet of the entered table and explains the selected
 * round. */

#define LINE_BYTES 400
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

static void draw_commitment(const struct canvas *canvas, const struct area *rows,
                            const struct model_entered *entered)
{
    struct text line = TEXT_OF(LINE_BYTES);
    text_format(&line, "%s %s", commitment_label(), entered->details.commitment);
    if (rows->height > 0) {
        (void)draw_wrapped_text(canvas, rows, STYLE_DIM, line.at, 0, 0);
    }
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
    struct text title = TEXT_OF(LINE_BYTES);
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    struct score_row explained;
    struct area inside = {body->row + 2, body->column + 2, body->height - 3, body->width - 4};
    struct area commitment = split_off_commitment_rows(&inside, entered);
    text_format(&title, _("#%lld %s: scores"), (long long)entered->row.id,
                _(entered->row.game->title));
    draw_header(canvas, title.at, "");
    if (state->seen != entered->sheet_count) {
        state->seen = entered->sheet_count;
        state->list.selected = state->seen - 1;
    }
    list_set_size(&state->list, entered->sheet_count, inside.height);
    int selected = entered->sheet_count > 0 ? state->list.selected : -1;
    struct sheet sheet = sheet_make(entered, &words, selected, &explained);
    state->hidden_rows = sheet_count_hidden_rows(&inside, &sheet, &state->shown_rows);
    if (state->skipped_rows > state->hidden_rows) {
        state->skipped_rows = state->hidden_rows;
    }
    sheet.skipped_rows = state->skipped_rows;
    int visible = sheet_draw(canvas, &inside, &sheet);
    if (visible > 0) {
        list_set_size(&state->list, entered->sheet_count, visible);
    }
    draw_commitment(canvas, &commitment, entered);
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
        struct score_row row;
        model_convert_score_row(&entered->sheet[i], &row);
        game_print_score(&row, &entered->view, &words, lines);
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
