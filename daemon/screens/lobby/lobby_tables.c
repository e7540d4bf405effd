#include "daemon/screens/lobby/lobby.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATE_MAX 160
#define CLOCK_WIDTH 7      /* columns of the clock: "10m+5s" and a blank */
#define NUMBER_WIDTH_MIN 4 /* columns of a table's number: "#12" and a blank */
#define NUMBER_WIDTH_MAX 10

const char *const lobby_tables_show_words[] = {
    [SHOW_ALL] = "all",   [SHOW_OPEN] = "open",       [SHOW_PLAYING] = "playing",
    [SHOW_MINE] = "mine", [SHOW_WAITING] = "waiting", [SHOW_COUNT] = NULL,
};

const char *const lobby_tables_sort_words[] = {
    [SORT_USEFUL] = "useful",   [SORT_NEWEST] = "newest", [SORT_GAME] = "game",
    [SORT_WATCHED] = "watched", [SORT_COUNT] = NULL,
};

const char *const lobby_tables_show_titles[] = {
    [SHOW_ALL] = N_("all"),
    [SHOW_OPEN] = N_("open"),
    [SHOW_PLAYING] = N_("in play"),
    [SHOW_MINE] = N_("yours"),
    [SHOW_WAITING] = N_("waiting for you"),
};

/* Shortens a text such as "1/19 · 1 see · delayed" to the width: drops parts at the end. */
static void shorten_table_state(const char *separator, int width, char *state)
{
    while (draw_measure_text(state) > width) {
        char *last = NULL;
        for (char *at = state; (at = strstr(at, separator)) != NULL; at++) {
            last = at;
        }
        if (last == NULL) {
            return;
        }
        *last = '\0';
    }
}

/* Writes "your turn ◄ 5h", with the time left to move, for a table that waits for the person's
 * move. */
static void write_your_turn(const struct theme *theme, const struct table_row *table,
                            const struct mine_row *own_table, bool has_host_column,
                            struct text *out)
{
    int64_t left_ms = own_table->due_ms - clock_unix_ms();
    text_format(out, "%s %s", _("your turn"), theme_glyph_text(theme, GLYPH_TURN));
    if (has_host_column && !clock_rule_is_for_one_sitting(&table->clock) && left_ms > 0) {
        text_put(out, " ");
        words_write_duration(theme, left_ms / 1000, out);
    }
}

/* Writes the state of a table's game: the round in words, or as "2/19" if that does not fit the
 * width or if something more follows. */
static void write_progress(const struct table_row *table, bool is_alone, int width,
                           struct text *out)
{
    struct text words = TEXT_OF(STATE_MAX);
    table_write_state(table->phase, table->halt, table->round, table->rounds, &words);
    bool is_short = table->phase == TABLE_PLAYING && table->halt == HALT_NONE && table->round > 0 &&
                    (!is_alone || draw_measure_text(words.at) > width);
    if (is_short) {
        text_format(out, table->rounds == 0 ? "%d" : "%d/%d", table->round, table->rounds);
    } else {
        text_put(out, words.at);
    }
}

/* Writes the last column of a table's row, which has that width: what one can do at the table, or
 * the progress of its game. */
static void write_table_state(const struct theme *theme, const struct model *model,
                              const struct table_row *table, bool has_host_column, int width,
                              struct text *out)
{
    static const char *const watch_words[] = {
        [WATCH_DELAY] = N_("delayed"),
        [WATCH_FRIENDS] = N_("for friends"),
        [WATCH_NONE] = N_("not watched"),
    };
    static_assert(ARRAY_LEN(watch_words) == STORED_LAST(STORED_WATCH_POLICIES) + 1,
                  "every watching rule needs its text");
    const char *dot = theme_glyph_text(theme, GLYPH_DOT);
    const struct mine_row *own_table = model_find_own_table(model, table->id);
    bool is_watched = table->watchers > 0 || table->watch.policy != WATCH_PUBLIC;
    int seats = table->players - table->seated;
    if (own_table != NULL && own_table->is_turn) {
        write_your_turn(theme, table, own_table, has_host_column, out);
        return;
    }
    if (table->phase == TABLE_OPEN) {
        text_format(out, "%s %s ", table->is_locked ? _("locked") : _("open"), dot);
    }
    if (table->phase == TABLE_OPEN && (own_table != NULL || !has_host_column)) {
        text_put(out, own_table != NULL ? _("your seat") : table->host);
    } else if (table->phase == TABLE_OPEN) {
        text_format(out, seats > 0 ? _("%d free") : _("full"), seats);
    } else {
        write_progress(table, !is_watched, width, out);
    }
    if (own_table != NULL && table->phase == TABLE_PLAYING) {
        text_format(out, " %s %s", dot, _("yours"));
    }
    if (table->is_locked && table->phase != TABLE_OPEN) {
        text_format(out, " %s %s", dot, _("locked"));
    }
    if (table->watchers > 0) {
        text_format(out, " %s ", dot);
        text_format(out, ngettext("%d sees", "%d see", table->watchers), (int)table->watchers);
    }
    if (table->watch.policy != WATCH_PUBLIC) {
        text_format(out, " %s %s", dot, _(watch_words[table->watch.policy]));
    }
}

/* The columns where the parts of a table's row begin, counted from the pane's left edge. */
struct columns {
    int number_width, game, game_width, seats, clock, host, host_width, state;
};

/* Returns the width of the longest number among the rows that have arrived, such as "#117", and a
 * blank, but not so much that the other columns leave the pane. */
static int measure_table_numbers(const struct model_window *rows)
{
    int width = NUMBER_WIDTH_MIN;
    for (int i = 0; i < rows->count; i++) {
        int needed = snprintf(NULL, 0, "#%lld ", (long long)rows->tables[i].id);
        width = needed > width ? needed : width;
    }
    return width < NUMBER_WIDTH_MAX ? width : NUMBER_WIDTH_MAX;
}

static struct columns compute_column_positions(const struct area *area,
                                               const struct model_window *rows)
{
    bool is_wide = area->width >= 64;
    int game_width = is_wide ? 18 : 14, host_width = is_wide ? 16 : 0;
    int number_width = measure_table_numbers(rows), game = 1 + number_width;
    int seats = game + game_width + 1, clock = seats + 6, host = clock + CLOCK_WIDTH;
    return (struct columns){.number_width = number_width,
                            .game = game,
                            .game_width = game_width,
                            .seats = seats,
                            .clock = clock,
                            .host = host,
                            .host_width = host_width,
                            .state = host + host_width};
}

static void draw_column_headings(const struct canvas *canvas, const struct area *area,
                                 const struct columns *columns)
{
    const struct {
        int column, width;
        const char *title;
    } headings[] = {
        {columns->game, columns->game_width, _("Game")},
        {columns->seats, 6, _("Seats")},
        {columns->clock, CLOCK_WIDTH - 1, _("Clock")},
        {columns->host, columns->host_width - 1, _("Host")},
        {columns->state, area->width - columns->state, _("State")},
    };
    for (size_t i = 0; i < ARRAY_LEN(headings); i++) {
        draw_text(canvas, area->row, area->column + headings[i].column, headings[i].width,
                  STYLE_DIM, headings[i].title);
    }
}

static void draw_table_row(const struct canvas *canvas, const struct area *area,
                           const struct columns *columns, const struct model *model,
                           const struct table_row *table, bool is_selected)
{
    int row = area->row, left = area->column;
    const struct mine_row *own_table = model_find_own_table(model, table->id);
    enum style style = is_selected                               ? STYLE_SELECTED
                       : own_table != NULL && own_table->is_turn ? STYLE_TURN
                       : table->phase == TABLE_FINISHED          ? STYLE_DIM
                                                                 : STYLE_PLAIN;
    struct text state = TEXT_OF(STATE_MAX);
    if (is_selected) {
        draw_filled_area(canvas, area, style);
        draw_text(canvas, row, left, 1, style, ">");
    }
    draw_formatted_text(canvas, row, left + 1, columns->number_width - 1, style, "#%lld",
                        (long long)table->id);
    draw_text(canvas, row, left + columns->game, columns->game_width, style, _(table->game->title));
    draw_formatted_text(canvas, row, left + columns->seats + 1, 5, style, "%d/%d", table->seated,
                        table->players);
    if (table->clock.kind == CLOCK_NONE) {
        text_put(&state, theme_glyph_text(canvas->theme, GLYPH_DASH));
    } else {
        clock_rule_write(&table->clock, &state);
    }
    draw_text(canvas, row, left + columns->clock, CLOCK_WIDTH - 1, style, state.at);
    draw_text(canvas, row, left + columns->host, columns->host_width - 1, style, table->host);
    state = text_init(state.at, state.cap);
    write_table_state(canvas->theme, model, table, columns->host_width > 0,
                      area->width - columns->state, &state);
    struct text separator = TEXT_OF(16);
    text_format(&separator, " %s ", theme_glyph_text(canvas->theme, GLYPH_DOT));
    shorten_table_state(separator.at, area->width - columns->state, state.at);
    draw_text(canvas, row, left + columns->state, area->width - columns->state, style, state.at);
}

/* Draws suggestions of what to do, in place of an empty list. */
static void draw_suggestions_in_empty_list(const struct lobby_tables *tables,
                                           const struct canvas *canvas, const struct area *area,
                                           const struct model *model)
{
    int row = area->row + 1, left = area->column + 2, width = area->width - 3;
    if (tables->choice.filter[0] != '\0') {
        draw_formatted_text(canvas, row, left, width, STYLE_PLAIN,
                            _("No table matches \"%s\". F changes the filter."),
                            tables->choice.filter);
        return;
    }
    if (tables->choice.show != SHOW_ALL && model->lists.tables_all > 0) {
        draw_formatted_text(canvas, row, left, width, STYLE_PLAIN,
                            _("No table is %s. f shows others."),
                            _(lobby_tables_show_titles[tables->choice.show]));
        return;
    }
    draw_text(canvas, row, left, width, STYLE_STRONG,
              model->lists.here > 1 ? _("No table is open yet.")
                                    : _("You have the house to yourself."));
    static const struct {
        const char *key, *text;
    } offers[] = {
        {"b", N_("play against bots, or learn a game")},
        {"n", N_("open a table and wait for company")},
        {"l", N_("see the best players")},
        {"h", N_("replay your games")},
    };
    for (size_t i = 0; i < ARRAY_LEN(offers); i++) {
        int at = row + 2 + (int)i;
        if (at < area->row + area->height) {
            draw_text(canvas, at, left, 1, STYLE_KEY, offers[i].key);
            draw_text(canvas, at, left + 3, width - 3, STYLE_PLAIN, _(offers[i].text));
        }
    }
    int last = row + 2 + (int)ARRAY_LEN(offers);
    if (tables->best != NULL && last < area->row + area->height) {
        draw_text(canvas, last, left, 1, STYLE_KEY, "y");
        draw_formatted_text(canvas, last, left + 3, width - 3, STYLE_PLAIN,
                            _("yesterday's best: %s, %s"), _(tables->best->game->title),
                            tables->best->players);
    }
}

void lobby_tables_draw(struct lobby_tables *tables, const struct canvas *canvas,
                       const struct area *area, const struct model *model, bool is_active)
{
    list_set_size(&tables->rows.list, tables->rows.list.count, area->height - 1);
    if (tables->rows.list.count == 0) {
        draw_suggestions_in_empty_list(tables, canvas, area, model);
        return;
    }
    struct columns columns = compute_column_positions(area, &model->lists.tables);
    draw_column_headings(canvas, area, &columns);
    const struct model_window *window = &model->lists.tables;
    const struct list *list = &tables->rows.list;
    for (int i = 0; i < window->count; i++) {
        int offset = window->first + i - list->top;
        if (list_row_at_offset(list, offset) >= 0) {
            struct area row = {area->row + 1 + offset, area->column, 1, area->width};
            draw_table_row(canvas, &row, &columns, model, &window->tables[i],
                           is_active && window->first + i == list->selected);
        }
    }
}
