#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/table/table.h"
#include "lobby/protocol/protocol.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The offer of games against bots: every game with one sentence about it. One key begins a game. */

#define GAMES_MAX 9 /* games with a key of their own */
#define GAME_ROWS 2 /* rows of one game on the screen */
#define LINE_BYTES 200
#define OFFER_WIDTH 68
#define INDENT 4

struct offer {
    const struct game_def *games[GAMES_MAX]; /* in the order in which they are offered */
    struct list list; /* empty until it is known which game the person played last */
    uint32_t pressed; /* the key that was pressed before the order was known; 0: none */
    /* where the first game was drawn last, and how many rows below it the next one, for clicks */
    int first_row, step;
};

/* Orders the games: the one played last, then from the shortest to the longest. */
static void order_games(struct offer *offer, const struct game_def *played_last)
{
    int count = 0;
    for (uint8_t i = 0; i < game_count() && count < GAMES_MAX; i++) {
        const struct game_def *game = game_at(i);
        int at = count++;
        for (; at > 0 && (game == played_last ||
                          (offer->games[at - 1] != played_last &&
                           game->short_form.minutes < offer->games[at - 1]->short_form.minutes));
             at--) {
            offer->games[at] = offer->games[at - 1];
        }
        offer->games[at] = game;
    }
    list_set_size(&offer->list, count, count);
}

static const struct game_def *get_selected_game(const struct offer *offer)
{
    return offer->list.count > 0 ? offer->games[offer->list.selected] : NULL;
}

/* Begins a game for a key: the number of a game, or Enter for the selected one. False for any other
 * key. */
static bool begin_game_for_key(struct ui *ui, struct offer *offer, uint32_t key)
{
    bool is_number = key >= '1' && key < (uint32_t)('1' + offer->list.count);
    if (!is_number && key != '\r') {
        return false;
    }
    if (is_number) {
        offer->list.selected = (int)(key - '1');
    }
    visit_begin_game(ui, "quick", get_selected_game(offer));
    return true;
}

/* Begins the lesson in the game at `index`. */
static bool begin_lesson(struct ui *ui, const struct offer *offer, int index)
{
    if (index < 0 || index >= offer->list.count) {
        return false;
    }
    visit_begin_game(ui, "learn", offer->games[index]);
    return true;
}

static void receive_game_played_last(struct ui *ui, const struct ui_answer *answer)
{
    struct offer *offer = answer->state;
    struct game_row row;
    const json_t *newest = json_array_get(json_object_get(answer->json, "rows"), 0);
    bool is_known = newest != NULL && game_row_read(newest, &row);
    order_games(offer, is_known ? row.game : NULL);
    if (offer->pressed != 0) {
        (void)begin_game_for_key(ui, offer, offer->pressed);
    }
}

static void offer_enter(struct ui *ui, void *state, UNUSED int64_t argument)
{
    struct offer *offer = state;
    const struct game_def *last = screen_model(ui)->last_begun;
    *offer = (struct offer){0};
    if (last != NULL) {
        order_games(offer, last);
    } else {
        screen_send_request(ui, "games", json_pack("{s:i}", "count", 1), receive_game_played_last,
                            0);
    }
}

static const char *write_duration(const struct game_def *game, struct text *out)
{
    text_format(out, ngettext("about %u minute", "about %u minutes", game->short_form.minutes),
                game->short_form.minutes);
    return out->at;
}

static void draw_game(const struct canvas *canvas, const struct area *area,
                      const struct game_def *game, int number, bool is_selected)
{
    enum style style = is_selected ? STYLE_SELECTED : STYLE_STRONG;
    struct area title = *area;
    title.height = 1;
    if (is_selected) {
        draw_filled_area(canvas, &title, style);
    }
    draw_formatted_text(canvas, area->row, area->column + 1, 1, is_selected ? style : STYLE_KEY,
                        "%d", number);
    int used = draw_text(canvas, area->row, area->column + INDENT, area->width - INDENT - 1, style,
                         _(game->title));
    draw_text_right_aligned(canvas, area->row, area->column + INDENT + used,
                            area->width - used - INDENT - 1, is_selected ? style : STYLE_DIM,
                            write_duration(game, &TEXT_OF(LINE_BYTES)));
    int indent = area->width < OFFER_WIDTH ? 0 : INDENT;
    draw_text(canvas, area->row + 1, area->column + indent, area->width - indent, STYLE_PLAIN,
              _(game->face->pitch));
}

static void offer_draw(UNUSED struct ui *ui, void *state, const struct canvas *canvas)
{
    struct offer *offer = state;
    const struct area *body = &canvas->body;
    int width = body->width < OFFER_WIDTH ? body->width : OFFER_WIDTH;
    int column = body->column + (body->width - width) / 2;
    bool has_gaps = body->height >= 4 + (GAME_ROWS + 1) * offer->list.count;
    draw_header(canvas, _("Play against bots"), _("no clock, leave whenever you like"));
    offer->first_row = body->row + 2;
    offer->step = has_gaps ? GAME_ROWS + 1 : GAME_ROWS;
    if (offer->list.count == 0) {
        draw_text(canvas, offer->first_row, column, width, STYLE_DIM, _("Asking the house…"));
        return;
    }
    for (int i = 0; i < offer->list.count; i++) {
        struct area area = {offer->first_row + i * offer->step, column, GAME_ROWS, width};
        draw_game(canvas, &area, offer->games[i], i + 1, i == offer->list.selected);
    }
}

static bool handle_click(struct ui *ui, struct offer *offer, const struct press *press)
{
    int game = (press->row - offer->first_row) / offer->step;
    if (press->row < offer->first_row || game >= offer->list.count) {
        return false;
    }
    offer->list.selected = game;
    return begin_game_for_key(ui, offer, '\r');
}

static bool offer_handle_key(struct ui *ui, void *state, const struct press *press)
{
    struct offer *offer = state;
    uint32_t key = press->kind == PRESS_ENTER ? '\r' : press->kind == PRESS_CHAR ? press->code : 0;
    if (offer->list.count == 0) {
        /* the key waits until it is clear which game it means */
        bool is_kept = key == '\r' || (key >= '1' && key <= '9');
        offer->pressed = is_kept ? key : offer->pressed;
        return is_kept;
    }
    if (press->kind == PRESS_CLICK) {
        return handle_click(ui, offer, press);
    }
    if (key == 'l' || key == 'L') {
        return begin_lesson(ui, offer, offer->list.selected);
    }
    return begin_game_for_key(ui, offer, key) || list_handle_key(&offer->list, press);
}

static bool offer_print(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct offer *offer = state;
    if (offer->list.count == 0) {
        return false;
    }
    lines_put(lines, _("Games against bots, without a clock:"));
    for (int i = 0; i < offer->list.count; i++) {
        const struct game_def *game = offer->games[i];
        lines_format(lines, "%d. %s, %s. %s", i + 1, _(game->title),
                     write_duration(game, &TEXT_OF(LINE_BYTES)), _(game->face->pitch));
    }
    lines_put(lines, _("Type the number of a game to begin it, learn and the number for a guided "
                       "first game, or /back to return to the lobby."));
    return true;
}

static bool offer_handle_line(struct ui *ui, void *state, const char *line)
{
    struct offer *offer = state;
    bool is_lesson = strncasecmp(line, "learn ", strlen("learn ")) == 0;
    const char *digits = is_lesson ? line + strlen("learn ") : line;
    char *end;
    long number = strtol(digits, &end, 10);
    if (end == digits || *end != '\0' || number < 1 || number > offer->list.count) {
        return false;
    }
    return is_lesson ? begin_lesson(ui, offer, (int)number - 1)
                     : begin_game_for_key(ui, offer, (uint32_t)('0' + number));
}

static void offer_add_hints(UNUSED struct ui *ui, UNUSED void *state, struct hints *hints)
{
    struct text keys = TEXT_OF(16);
    text_format(&keys, "1-%d", game_count() < GAMES_MAX ? game_count() : GAMES_MAX);
    hints_add(hints, keys.at, _("play"));
    hints_add(hints, "Enter", _("play it"));
    hints_add(hints, "l", _("learn it"));
}

static const struct screen_key offer_keys[] = {
    {"1-9", N_("begin the game with that number"), "/quick", NULL},
    {N_("arrows Enter"), N_("mark a game, then begin it"), "/quick", NULL},
    {"l", N_("a guided first game of the marked one"), "/learn", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct screen offer_screen = {
    .name = "offer",
    .title = N_("Games against bots"),
    .state_size = sizeof(struct offer),
    .keys = offer_keys,
    .enter = offer_enter,
    .draw = offer_draw,
    .key = offer_handle_key,
    .hints = offer_add_hints,
    .print = offer_print,
    .line = offer_handle_line,
};
