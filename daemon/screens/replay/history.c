#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The screen that lists the person's finished games, newest first. Enter replays the selected
 * game. */

#define CHUNK 50
#define ROWS_MAX 1000
struct history {
    struct list list;
    struct played *rows;
    int count;
    bool is_asked, is_loaded, is_complete;
};

static void receive_games(struct ui *ui, void *state, UNUSED int64_t tag, bool is_ok,
                          const json_t *answer)
{
    struct history *history = state;
    history->is_asked = false;
    if (!is_ok) {
        screen_warn_of_refusal(ui, answer);
        return;
    }
    history->is_loaded = true;
    json_t *list = json_object_get(answer, "rows");
    size_t size = json_array_size(list);
    struct played *rows =
        realloc(history->rows, ((size_t)history->count + size + 1) * sizeof *rows);
    if (rows == NULL) {
        return;
    }
    history->rows = rows;
    for (size_t i = 0; i < size && history->count < ROWS_MAX; i++) {
        history->count += played_read_game(json_array_get(list, i), screen_model(ui)->you.name,
                                           INT_MAX, &rows[history->count]);
    }
    history->is_complete = size < CHUNK || history->count >= ROWS_MAX;
    list_set_size(&history->list, history->count, history->list.visible);
}

static void request_more_games(struct ui *ui, struct history *history)
{
    if (history->is_asked || history->is_complete) {
        return;
    }
    json_t *fields = json_pack("{s:i}", "count", CHUNK);
    if (history->count > 0) {
        json_object_set_new(fields, "before",
                            json_integer((json_int_t)history->rows[history->count - 1].game_id));
    }
    history->is_asked = true;
    screen_send_request(ui, "games", fields, receive_games, 0);
}

static void history_enter(struct ui *ui, void *state, UNUSED int64_t argument)
{
    struct history *history = state;
    history->list.visible = 1;
    if (history->count == 0) {
        request_more_games(ui, history);
    }
}

static void history_leave(UNUSED struct ui *ui, void *state)
{
    struct history *history = state;
    free(history->rows);
}

static void history_draw(UNUSED struct ui *ui, void *state, const struct canvas *canvas)
{
    static const struct played_column_area places[] = {
        {PLAYED_DAY_AND_TIME, 2, 16}, {PLAYED_GAME, 20, 15},  {PLAYED_PLACE, 36, 8},
        {PLAYED_SCORE, 43, 6},        {PLAYED_CHANGE, 50, 7}, {PLAYED_OPPONENTS, 60, 0},
    };
    struct history *history = state;
    struct text facts = TEXT_OF(64);
    int top = canvas->body.row + 3, rows = canvas->body.height - 4;
    list_set_size(&history->list, history->count, rows);
    if (history->count > 0) {
        text_format(&facts,
                    history->is_complete
                        ? ngettext("%d game", "%d games", (unsigned long)history->count)
                        : _("%d and more"),
                    history->count);
    }
    draw_header(canvas, _("Your games"), facts.at);
    if (history->count == 0) {
        draw_text(canvas, top, 2, canvas->body.width - 4, STYLE_PLAIN,
                  history->is_loaded
                      ? _("No finished game yet. In the lobby, b starts a game against bots.")
                      : _("Asking the house…"));
        return;
    }
    played_draw_list(canvas, top - 1, &history->list, history->rows, places, ARRAY_LEN(places));
}

static bool history_handle_key(struct ui *ui, void *state, const struct press *press)
{
    struct history *history = state;
    if (press->kind == PRESS_CLICK) {
        int row = list_row_at_offset(&history->list, press->row - 3);
        history->list.selected = row >= 0 ? row : history->list.selected;
        return true;
    }
    if (press->kind == PRESS_ENTER && history->count > 0) {
        screen_open(ui, "replay", history->rows[history->list.selected].game_id);
        return true;
    }
    bool is_used = list_handle_key(&history->list, press);
    if (is_used && history->list.selected >= history->count - history->list.visible) {
        request_more_games(ui, history);
    }
    return is_used;
}

static bool history_print(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct history *history = state;
    if (!history->is_loaded) {
        return false;
    }
    if (history->count == 0) {
        lines_put(lines, _("No finished game yet. /quick starts a game against bots."));
        return true;
    }
    lines_put(lines, _("Your games, newest first. /replay and its number replays a game."));
    for (int i = 0; i < history->count; i++) {
        played_put_game_line(&history->rows[i], lines);
    }
    return true;
}

static void history_add_hints(UNUSED struct ui *ui, void *state, struct hints *hints)
{
    const struct history *history = state;
    if (history->count > 0) {
        hints_add(hints, "Enter", _("replay"));
        hints_add(hints, "↑ ↓", _("choose"));
    }
}

static const struct screen_key history_keys[] = {
    {"Enter", N_("look at the game again, move by move"), "/replay", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct screen history_screen = {
    .name = "history",
    .title = N_("Your games"),
    .state_size = sizeof(struct history),
    .keys = history_keys,
    .enter = history_enter,
    .leave = history_leave,
    .draw = history_draw,
    .key = history_handle_key,
    .hints = history_add_hints,
    .print = history_print,
};
