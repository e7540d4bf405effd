#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/list.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/model/model_entered.h"
#include "daemon/screens/table/game_print.h"
#include "daemon/screens/table/table_sheet.h"
#include "daemon/screens/table/table_state.h"

/* The screen that shows the whole score sheet of the entered table and explains the selected
 * round. */

#define LINE_BYTES 400

struct sheet_state {
    struct list list;
    uint16_t
        seen; /* number of rounds at the last draw; if it has grown, the new round is selected */
    int skipped_rows; /* rows of the explanations that are scrolled out of sight */
    int hidden_rows;  /* rows of the explanations that did not fit at the last draw */
};

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
    state->hidden_rows = sheet_count_hidden_rows(&inside, &sheet);
    if (state->skipped_rows > state->hidden_rows) {
        state->skipped_rows = state->hidden_rows;
    }
    sheet.skipped_rows = state->skipped_rows;
    int visible = sheet_draw(canvas, &inside, &sheet);
    if (visible > 0) {
        list_set_size(&state->list, entered->sheet_count, visible);
    }
    struct text deal = TEXT_OF(LINE_BYTES);
    text_format(&deal, _("deal %s"), entered->details.commitment);
    if (entered->details.commitment[0] != '\0' && draw_measure_text(deal.at) <= inside.width) {
        draw_text(canvas, body->row + body->height - 1, inside.column, inside.width, STYLE_DIM,
                  deal.at);
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
        state->skipped_rows = press->kind == PRESS_PAGE_DOWN ? state->hidden_rows : 0;
        return true;
    }
    return list_handle_key(&state->list, press);
}

static void sheet_add_hints(UNUSED struct ui *ui, void *opaque, struct hints *hints)
{
    const struct sheet_state *state = opaque;
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
    {"↑ ↓", N_("choose the round that is explained"), NULL, N_("explain a round")},
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
