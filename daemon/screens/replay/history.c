#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/list.h"
#include "daemon/screens/drawing/played_words.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/screen.h"

#include <stdlib.h>
#include <string.h>

/* The person's finished games, newest first; Enter replays one. */

#define CHUNK 50
#define ROWS_MAX 1000
#define OPPONENTS_MAX 120

/* The part of a game's row that the list needs: a hundred bytes instead of a thousand. */
struct played {
    int64_t game_id, at_ms;
    const struct game_def *game;
    uint8_t players, rank;
    int32_t score, change; /* score: ROW_NONE if the person left for good */
    bool is_rated;
    char opponents[OPPONENTS_MAX]; /* names of the other players, as a list */
};

struct history {
    struct list list;
    struct played *rows;
    int count;
    bool is_asked, is_loaded, is_complete;
};

/* Names the other players: "ada, bob and ella". */
static void write_opponents(const struct row_players *players, const char *you, struct text *out)
{
    const char *names[SEATS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < players->count && count < SEATS_MAX; i++) {
        const char *name = players->at[i].name;
        if (name[0] != '\0' && strcmp(name, you) != 0) {
            names[count++] = name;
        }
    }
    text_put_list(out, names, count);
}

static bool read_played_game(const json_t *object, const char *you, struct played *played)
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
    struct text out = text_init(played->opponents, sizeof played->opponents);
    write_opponents(&row.players, you, &out);
    return true;
}

static void receive_games(struct ui *ui, void *state, UNUSED int64_t tag, bool is_ok,
                          const json_t *answer)
{
    struct history *history = state;
    history->is_asked = false;
    if (!is_ok) {
        screen_warn_refused(ui, answer);
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
        history->count += read_played_game(json_array_get(list, i), screen_model(ui)->you.name,
                                           &rows[history->count]);
    }
    history->is_complete = size < CHUNK || history->count >= ROWS_MAX;
    list_clamp(&history->list, history->count, history->list.visible);
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
    screen_request(ui, "games", fields, receive_games, 0);
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

static void draw_game_row(const struct canvas *canvas, int screen_row, const struct played *row,
                          bool is_selected)
{
    enum style style = is_selected ? STYLE_SELECTED : STYLE_PLAIN;
    struct text day = TEXT_OF(32), place = TEXT_OF(32), score = TEXT_OF(32), change = TEXT_OF(32);
    int width = canvas->body.width;
    if (is_selected) {
        struct area line = {screen_row, 0, 1, width};
        draw_filled_area(canvas, &line, style);
        draw_text(canvas, screen_row, 0, 1, style, ">");
    }
    words_write_day(row->at_ms, &day);
    text_put(&day, " ");
    words_write_time(row->at_ms, &day);
    played_write_place(row->rank, row->players, &place);
    played_write_score(row->score, &score);
    played_write_change(row->is_rated, row->change, &change);
    draw_text(canvas, screen_row, 2, 16, style, day.at);
    draw_text(canvas, screen_row, 20, 15, style, _(row->game->title));
    draw_text(canvas, screen_row, 36, 8, row->rank == 1 && !is_selected ? STYLE_GOOD : style,
              place.at);
    draw_text_right_aligned(canvas, screen_row, 44, 5, style, score.at);
    draw_text_right_aligned(canvas, screen_row, 50, 7, style, change.at);
    draw_text(canvas, screen_row, 60, width - 61, style, row->opponents);
}

static void history_draw(UNUSED struct ui *ui, void *state, const struct canvas *canvas)
{
    struct history *history = state;
    struct text facts = TEXT_OF(64);
    int top = canvas->body.row + 3, rows = canvas->body.height - 4;
    list_clamp(&history->list, history->count, rows);
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
                      ? _("No finished game yet. In the lobby, b is one against bots, at once.")
                      : _("Asking the house…"));
        return;
    }
    static const struct {
        int column, width;
        const char *title;
    } headings[] = {{2, 16, N_("Finished")}, {20, 15, N_("Game")},  {36, 8, N_("Place")},
                    {44, 6, N_("Score")},    {51, 7, N_("Rating")}, {60, 20, N_("With")}};
    for (size_t i = 0; i < ARRAY_LEN(headings); i++) {
        draw_text(canvas, top - 1, headings[i].column, headings[i].width, STYLE_DIM,
                  _(headings[i].title));
    }
    for (int i = 0; i < rows; i++) {
        int at = list_row_at(&history->list, i);
        if (at >= 0) {
            draw_game_row(canvas, top + i, &history->rows[at], at == history->list.selected);
        }
    }
}

static bool history_handle_key(struct ui *ui, void *state, const struct press *press)
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
    bool is_used = list_handle_key(&history->list, press);
    if (is_used && history->list.selected >= history->count - history->list.visible) {
        request_more_games(ui, history);
    }
    return is_used;
}

static void print_game_row(const struct played *row, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX), place = TEXT_OF(64);
    played_write_place(row->rank, row->players, &place);
    text_format(&line, _("%lld: %s, %s, place %s"), (long long)row->game_id,
                words_write_day(row->at_ms, &TEXT_OF(64)), _(row->game->title), place.at);
    played_write_result(row->score, row->is_rated, row->change, &line);
    text_format_item(&line, _("with %s"), row->opponents);
    lines_format(lines, "%s.", line.at);
}

static bool history_print(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct history *history = state;
    if (!history->is_loaded) {
        return false;
    }
    if (history->count == 0) {
        lines_put(lines, _("No finished game yet. /quick is one against bots, at once."));
        return true;
    }
    lines_put(lines, _("Your games, newest first. /replay and the number goes through one."));
    for (int i = 0; i < history->count; i++) {
        print_game_row(&history->rows[i], lines);
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
    {"Enter", N_("look at the game again, move by move"), NULL, NULL},
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
