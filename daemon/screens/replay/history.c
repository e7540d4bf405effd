#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/list.h"
#include "daemon/screens/drawing/played_words.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One's finished games, newest first; Enter replays one. */

#define CHUNK 50
#define ROWS_MAX 1000
#define COMPANY_MAX 120

/* The part of a game row that is kept: a hundred bytes instead of a thousand. */
struct played {
    int64_t game_id, at_ms;
    const struct game_def *game;
    uint8_t players, rank;
    int32_t score, change; /* score: ROW_NONE if they left for good */
    bool is_rated;
    char company[COMPANY_MAX]; /* the others, by name */
};

struct history {
    struct list list;
    struct played *rows;
    int count;
    bool is_asked, is_there, is_complete;
};

/* Names the other players: "ada, bob, ella". */
static void company_write(const struct row_players *players, const char *you, struct text *out)
{
    for (size_t i = 0; i < players->count; i++) {
        const char *name = players->at[i].name;
        if (name[0] != '\0' && strcmp(name, you) != 0) {
            text_put(out, out->len > 0 ? ", " : "");
            text_put(out, name);
        }
    }
}

static bool played_read(const json_t *object, const char *you, struct played *played)
{
    struct game_row row;
    if (!game_row_read(object, &row)) {
        return false;
    }
    *played = (struct played){
        .game_id = row.game_id,
        .at_ms = row.at_ms,
        .game = row.game,
        .players = row.players.count,
        .rank = row.rank,
        .score = row.score,
        .change = row.change_tenths / 10,
        .is_rated = row.change_tenths != ROW_NONE,
    };
    struct text out = text_init(played->company, sizeof played->company);
    company_write(&row.players, you, &out);
    return true;
}

static void answered(struct ui *ui, void *state, UNUSED int64_t tag, bool is_ok,
                     const json_t *answer)
{
    struct history *history = state;
    history->is_asked = false;
    if (!is_ok) {
        screen_warn_refused(ui, answer);
        return;
    }
    history->is_there = true;
    json_t *list = json_object_get(answer, "rows");
    size_t size = json_array_size(list), i;
    struct played *rows =
        realloc(history->rows, ((size_t)history->count + size + 1) * sizeof *rows);
    if (rows == NULL) {
        return;
    }
    history->rows = rows;
    json_t *object;
    json_array_foreach(list, i, object)
    {
        if (history->count < ROWS_MAX &&
            played_read(object, screen_model(ui)->you.name, &rows[history->count])) {
            history->count++;
        }
    }
    history->is_complete = size < CHUNK || history->count >= ROWS_MAX;
    list_clamp(&history->list, history->count, history->list.visible);
}

static void fetch(struct ui *ui, struct history *history)
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
    screen_request(ui, "games", fields, answered, 0);
}

static void history_enter(struct ui *ui, void *state, UNUSED int64_t argument)
{
    struct history *history = state;
    history->list.visible = 1;
    if (history->count == 0) {
        fetch(ui, history);
    }
}

static void history_leave(UNUSED struct ui *ui, void *state)
{
    struct history *history = state;
    free(history->rows);
}

static void row_draw(const struct canvas *canvas, int at, const struct played *row,
                     bool is_selected)
{
    enum style style = is_selected ? STYLE_SELECTED : STYLE_PLAIN;
    char words[64];
    struct text out = text_init(words, sizeof words);
    int width = canvas->body.width;
    if (is_selected) {
        struct area line = {at, 0, 1, width};
        draw_filled_area(canvas, &line, style);
        draw_text(canvas, at, 0, 1, style, ">");
    }
    words_write_day(row->at_ms, &out);
    text_put(&out, " ");
    words_write_time(row->at_ms, &out);
    draw_text(canvas, at, 2, 16, style, words);
    draw_text(canvas, at, 20, 15, style, _(row->game->title));
    out = text_init(words, sizeof words);
    played_write_place(row->rank, row->players, &out);
    draw_text(canvas, at, 36, 8, row->rank == 1 && !is_selected ? STYLE_GOOD : style, words);
    out = text_init(words, sizeof words);
    played_write_score(row->score, &out);
    draw_text_right_aligned(canvas, at, 44, 5, style, words);
    out = text_init(words, sizeof words);
    played_write_change(row->is_rated, row->change, &out);
    draw_text_right_aligned(canvas, at, 50, 7, style, words);
    draw_text(canvas, at, 60, width - 61, style, row->company);
}

static void history_draw(UNUSED struct ui *ui, void *state, const struct canvas *canvas)
{
    struct history *history = state;
    char facts[64] = "";
    int top = canvas->body.row + 3, rows = canvas->body.height - 4;
    list_clamp(&history->list, history->count, rows);
    if (history->count > 0) {
        snprintf(facts, sizeof facts,
                 history->is_complete
                     ? ngettext("%d game", "%d games", (unsigned long)history->count)
                     : _("%d and more"),
                 history->count);
    }
    draw_header(canvas, _("Your games"), facts);
    if (history->count == 0) {
        draw_text(canvas, top, 2, canvas->body.width - 4, STYLE_PLAIN,
                  history->is_there
                      ? _("No finished game yet. In the lobby, b is one against bots, at once.")
                      : _("Asking the house…"));
        return;
    }
    const struct {
        int column, width;
        const char *title;
    } headings[] = {{2, 16, _("Finished")}, {20, 15, _("Game")},  {36, 8, _("Place")},
                    {44, 6, _("Score")},    {51, 7, _("Rating")}, {60, 20, _("With")}};
    for (size_t i = 0; i < ARRAY_LEN(headings); i++) {
        draw_text(canvas, top - 1, headings[i].column, headings[i].width, STYLE_DIM,
                  headings[i].title);
    }
    for (int i = 0; i < rows; i++) {
        int at = list_row_at(&history->list, i);
        if (at >= 0) {
            row_draw(canvas, top + i, &history->rows[at], at == history->list.selected);
        }
    }
}

static bool history_key(struct ui *ui, void *state, const struct press *press)
{
    struct history *history = state;
    if (press->kind == PRESS_CLICK) {
        int row = list_row_at(&history->list, press->row - 3);
        history->list.selected = row >= 0 ? row : history->list.selected;
        return true;
    }
    if (press->kind == PRESS_ENTER && history->count > 0) {
        screen_open(ui, "replay", history->rows[history->list.selected].game_id);
        return true;
    }
    if (list_handle_key(&history->list, press)) {
        if (history->list.selected >= history->count - history->list.visible) {
            fetch(ui, history);
        }
        return true;
    }
    return false;
}

static void row_tell(const struct played *row, struct lines *lines)
{
    char day[64];
    char place[64];
    char line[LINES_LINE_MAX];
    struct text out = text_init(day, sizeof day);
    words_write_day(row->at_ms, &out);
    out = text_init(place, sizeof place);
    played_write_place(row->rank, row->players, &out);
    out = text_init(line, sizeof line);
    text_format(&out, _("%lld: %s, %s, place %s"), (long long)row->game_id, day,
                _(row->game->title), place);
    played_write_result(row->score, row->is_rated, row->change, &out);
    text_format_item(&out, _("with %s"), row->company);
    lines_format(lines, "%s.", line);
}

static bool history_tell(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct history *history = state;
    if (!history->is_there) {
        return false;
    }
    if (history->count == 0) {
        lines_put(lines, _("No finished game yet. /quick is one against bots, at once."));
        return true;
    }
    lines_put(lines, _("Your games, newest first. /replay and the number goes through one."));
    for (int i = 0; i < history->count; i++) {
        row_tell(&history->rows[i], lines);
    }
    return true;
}

static void history_hints(struct ui *ui, void *state, struct hints *hints)
{
    const struct history *history = state;
    if (history->count > 0) {
        hints_add(hints, "Enter", _("replay"));
        hints_add(hints, screen_theme(ui)->is_ascii ? "Up Down" : "↑ ↓", _("choose"));
    }
    hints_add(hints, "?", _("help"));
    hints_add(hints, "q", _("back"));
}

static const struct screen_key history_keys[] = {
    {"Enter", N_("look at the game again, move by move"), NULL},
    {NULL, NULL, NULL},
};

const struct screen history_screen = {
    .name = "history",
    .title = N_("Your games"),
    .state_size = sizeof(struct history),
    .keys = history_keys,
    .enter = history_enter,
    .leave = history_leave,
    .draw = history_draw,
    .key = history_key,
    .hints = history_hints,
    .tell = history_tell,
};
