#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/list.h"
#include "daemon/screens/model/model_entered.h"
#include "daemon/screens/table/game_tell.h"
#include "daemon/screens/table/table_sheet.h"
#include "daemon/screens/table/table_state.h"

#include <stdio.h>

/* The whole score sheet of the entered table; the selected round is explained. */

#define LINE_BYTES 400

struct sheet_state {
    struct list list;
    uint16_t seen; /* a new round moves the selection to it */
};

static void sheet_screen_draw(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct sheet_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct area *body = &canvas->body;
    if (entered == NULL) {
        draw_text_centred(canvas, body->row + 2, body->column, body->width, STYLE_DIM,
                          _("You have left the table."));
        return;
    }
    char title[LINE_BYTES];
    snprintf(title, sizeof(title), _("#%lld %s: scores"), (long long)entered->row.id,
             _(entered->row.game->title));
    draw_header(canvas, title, "");
    struct words words = words_of_table(screen_theme(ui), entered);
    struct score_row explained;
    struct area inside = {body->row + 2, body->column + 2, body->height - 3, body->width - 4};
    if (state->seen != entered->sheet_count) {
        state->seen = entered->sheet_count;
        state->list.selected = state->seen - 1;
    }
    list_clamp(&state->list, entered->sheet_count, inside.height);
    struct sheet sheet = {
        .words = &words,
        .seats = entered->has_view ? entered->view.seats : entered->row.players,
        .rows = entered->sheet,
        .count = entered->sheet_count,
        .selected = entered->sheet_count > 0 ? state->list.selected : -1,
    };
    if (sheet.selected >= 0) {
        model_convert_score_row(&entered->sheet[sheet.selected], &explained);
        sheet.explained = &explained;
    }
    int visible = sheet_draw(canvas, &inside, &sheet);
    if (visible > 0) {
        list_clamp(&state->list, entered->sheet_count, visible);
    }
    if (entered->details.commitment[0] != '\0') {
        draw_formatted_text(canvas, body->row + body->height - 1, body->column + 2, body->width - 4,
                            STYLE_DIM, _("deal %s"), entered->details.commitment);
    }
}

static bool sheet_screen_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct sheet_state *state = opaque;
    if (list_handle_key(&state->list, press)) {
        return true;
    }
    if (press->kind == PRESS_ENTER || (press->kind == PRESS_CHAR && press->code == 's')) {
        screen_close(ui);
        return true;
    }
    return false;
}

static bool sheet_screen_tell(struct ui *ui, UNUSED void *opaque, struct lines *lines)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || !entered->has_view || entered->sheet_count == 0) {
        lines_put(lines, _("No round is finished yet."));
        return true;
    }
    struct words words = words_of_table(screen_theme(ui), entered);
    for (int i = 0; i < entered->sheet_count; i++) {
        struct score_row row;
        model_convert_score_row(&entered->sheet[i], &row);
        game_tell_score(&row, &entered->view, &words, lines);
    }
    return true;
}

static void sheet_screen_hints(struct ui *ui, UNUSED void *opaque, struct hints *hints)
{
    (void)ui;
    hints_add(hints, screen_theme(ui)->is_ascii ? "Up Down" : "↑ ↓", _("explain a round"));
    hints_add(hints, "?", _("help"));
    hints_add(hints, "q", _("back to the table"));
}

static const struct screen_key sheet_keys[] = {
    {N_("up down"), N_("choose the round that is explained"), NULL},
    {"s q", N_("back to the table"), NULL},
    {NULL, NULL, NULL},
};

const struct screen sheet_screen = {
    .name = "sheet",
    .title = N_("Score sheet"),
    .state_size = sizeof(struct sheet_state),
    .keys = sheet_keys,
    .draw = sheet_screen_draw,
    .key = sheet_screen_key,
    .hints = sheet_screen_hints,
    .tell = sheet_screen_tell,
};
