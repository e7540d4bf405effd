#include "daemon/screens/lobby/lobby_tables.h"

#include "daemon/screens/lobby/lobby_panes.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/table_words.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/drawing/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATE_MAX 160
#define CLOCK_WIDTH 7 /* "10m+5s" and a blank */

const char *lobby_sort_title(uint8_t sort)
{
    switch ((enum table_sort)sort) {
    case SORT_NEWEST:
        return _("newest first");
    case SORT_GAME:
        return _("by game");
    case SORT_WATCHED:
        return _("most watched first");
    case SORT_USEFUL:
    case SORT_COUNT:
        break;
    }
    return _("open ones first");
}

/* Who may watch, in a word. */
static const char *watch_word(const struct watch_rule *watch)
{
    switch (watch->policy) {
    case WATCH_DELAY:
        return _("delayed");
    case WATCH_FRIENDS:
        return _("for friends");
    case WATCH_NONE:
        return _("not watched");
    case WATCH_PUBLIC:
        break;
    }
    return "";
}

const char *lobby_show_title(uint8_t show)
{
    switch ((enum table_show)show) {
    case SHOW_OPEN:
        return _("open");
    case SHOW_PLAYING:
        return _("in play");
    case SHOW_MINE:
        return _("yours");
    case SHOW_WAITING:
        return _("waiting for you");
    case SHOW_ALL:
    case SHOW_COUNT:
        break;
    }
    return _("all");
}

static bool is_shown(const struct lobby_tables *tables, const struct model *model,
                     const struct table_row *table)
{
    const struct mine_row *mine = model_find_own_table(model, table->id);
    switch ((enum table_show)tables->show) {
    case SHOW_OPEN:
        return table->phase == TABLE_OPEN && table->seated < table->players;
    case SHOW_PLAYING:
        return table->phase == TABLE_PLAYING;
    case SHOW_MINE:
        return mine != NULL;
    case SHOW_WAITING:
        return mine != NULL && mine->is_turn;
    case SHOW_ALL:
    case SHOW_COUNT:
        break;
    }
    return true;
}

/* Drops the last parts of "1/19 · 1 see · delayed" that do not fit whole. */
static void drop_parts(const struct theme *theme, int width, char *state)
{
    char between[16];
    snprintf(between, sizeof between, " %s ", theme_glyph(theme, GLYPH_DOT));
    while (draw_text_width(state) > width) {
        char *last = NULL;
        for (char *at = state; (at = strstr(at, between)) != NULL; at++) {
            last = at;
        }
        if (last == NULL) {
            return;
        }
        *last = '\0';
    }
}

/* The last column: what one can do there, or the progress. */
static void state_write(const struct theme *theme, const struct model *model,
                        const struct table_row *table, bool has_host, struct text *out)
{
    char words[64];
    const char *dot = theme_glyph(theme, GLYPH_DOT);
    const struct mine_row *mine = model_find_own_table(model, table->id);
    int64_t now_ms = screen_unix_now_ms();
    if (mine != NULL && mine->is_turn) {
        text_put(out, _("your turn"));
        text_put(out, " ");
        text_put(out, theme_glyph(theme, GLYPH_TURN));
        if (has_host && !clock_rule_is_live(&table->clock) && mine->due_ms > now_ms) {
            text_put(out, " ");
            words_write_span(theme, (mine->due_ms - now_ms) / 1000, out);
        }
        return;
    }
    if (table->phase == TABLE_OPEN) {
        int seats = table->players - table->seated;
        snprintf(words, sizeof words, "%s %s ", table->is_locked ? _("locked") : _("open"), dot);
        text_put(out, words);
        snprintf(words, sizeof words, seats > 0 ? _("%d free") : _("full"), seats);
        text_put(out, mine != NULL ? _("your seat") : has_host ? words : table->host);
    } else if (table->phase == TABLE_PLAYING && table->halt == HALT_NONE && table->round > 0 &&
               (table->watchers > 0 || table->watch.policy != WATCH_PUBLIC)) {
        /* Draws a short form, with room beside it. */
        snprintf(words, sizeof words, table->rounds == 0 ? "%d" : "%d/%d", table->round,
                 table->rounds);
        text_put(out, words);
    } else {
        table_write_state(table->phase, table->halt, table->round, table->rounds, out);
    }
    if (mine != NULL && table->phase == TABLE_PLAYING) {
        snprintf(words, sizeof words, " %s %s", dot, _("yours"));
        text_put(out, words);
    }
    if (table->is_locked && table->phase != TABLE_OPEN) {
        snprintf(words, sizeof words, " %s %s", dot, _("locked"));
        text_put(out, words);
    }
    if (table->watchers > 0) {
        text_format(out, " %s ", dot);
        text_format(out, ngettext("%d sees", "%d see", table->watchers), (int)table->watchers);
    }
    if (table->watch.policy != WATCH_PUBLIC) {
        snprintf(words, sizeof words, " %s %s", dot, watch_word(&table->watch));
        text_put(out, words);
    }
}

static bool passes(const struct lobby_tables *tables, const struct model *model,
                   const struct table_row *table)
{
    if (model_hides_table(model, table) || !is_shown(tables, model, table)) {
        return false;
    }
    if (tables->filter[0] == '\0') {
        return true;
    }
    char row[STATE_MAX + 128];
    struct text out = text_init(row, sizeof row);
    struct theme theme = {.is_ascii = true};
    text_put(&out, "#");
    text_put_number(&out, table->id);
    text_put(&out, " ");
    text_put(&out, _(table->game->title));
    text_put(&out, " ");
    text_put(&out, table->host);
    text_put(&out, " ");
    state_write(&theme, model, table, false, &out);
    return strcasestr(row, tables->filter) != NULL;
}

/* One's own where it is one's turn, other own ones, open, playing, finished. */
static int usefulness(const struct model *model, const struct table_row *table)
{
    const struct mine_row *mine = model_find_own_table(model, table->id);
    if (mine != NULL) {
        return mine->is_turn ? 0 : 1;
    }
    if (table->phase == TABLE_OPEN) {
        return table->seated < table->players ? 2 : 3;
    }
    return table->phase == TABLE_PLAYING ? 4 : 5;
}

struct order {
    const struct lobby_tables *tables;
    const struct model *model;
};

static int compare(const void *left, const void *right, void *context)
{
    const struct order *order = context;
    const struct table_row *a = &order->model->tables[*(const uint16_t *)left];
    const struct table_row *b = &order->model->tables[*(const uint16_t *)right];
    int difference = 0;
    if (order->tables->sort == SORT_USEFUL) {
        difference = usefulness(order->model, a) - usefulness(order->model, b);
    } else if (order->tables->sort == SORT_GAME) {
        difference = strcmp(_(a->game->title), _(b->game->title));
    } else if (order->tables->sort == SORT_WATCHED) {
        difference = b->watchers - a->watchers;
    }
    return difference != 0 ? difference : a->id > b->id ? -1 : a->id < b->id;
}

static void selected_note(struct lobby_tables *tables, const struct model *model)
{
    tables->selected_id =
        tables->list.count > 0 ? model->tables[tables->order[tables->list.selected]].id : 0;
}

void lobby_tables_update(struct lobby_tables *tables, const struct model *model)
{
    int count = 0;
    for (int i = 0; i < model->table_count; i++) {
        if (passes(tables, model, &model->tables[i])) {
            tables->order[count++] = (uint16_t)i;
        }
    }
    struct order order = {tables, model};
    qsort_r(tables->order, (size_t)count, sizeof tables->order[0], compare, &order);
    for (int i = 0; i < count; i++) {
        if (tables->is_chosen && model->tables[tables->order[i]].id == tables->selected_id) {
            tables->list.selected = i;
        }
    }
    if (!tables->is_chosen) {
        tables->list.selected = 0;
    }
    list_clamp(&tables->list, count, tables->list.visible);
    selected_note(tables, model);
}

const struct table_row *lobby_tables_selected(const struct lobby_tables *tables,
                                              const struct model *model)
{
    return model_find_table(model, tables->selected_id);
}

void lobby_tables_moved(struct lobby_tables *tables, const struct model *model)
{
    tables->is_chosen = true;
    selected_note(tables, model);
}

/* Columns of the table list, from the pane's left edge. */
struct columns {
    int game, game_width, seats, clock, host, host_width, state, end;
};

static struct columns columns_for(const struct area *area)
{
    bool is_wide = area->width >= 64;
    struct columns columns = {.game = 5, .game_width = is_wide ? 18 : 14};
    columns.seats = columns.game + columns.game_width + 1;
    columns.clock = columns.seats + 6;
    columns.host_width = is_wide ? 16 : 0;
    columns.host = columns.clock + CLOCK_WIDTH;
    columns.state = columns.host + columns.host_width;
    columns.end = area->width;
    return columns;
}

static void heading_draw(const struct canvas *canvas, const struct area *area,
                         const struct columns *columns)
{
    int row = area->row, left = area->column;
    draw_text(canvas, row, left + columns->game, columns->game_width, STYLE_DIM, _("Game"));
    draw_text(canvas, row, left + columns->seats, 6, STYLE_DIM, _("Seats"));
    draw_text(canvas, row, left + columns->clock, CLOCK_WIDTH - 1, STYLE_DIM, _("Clock"));
    if (columns->host_width > 0) {
        draw_text(canvas, row, left + columns->host, columns->host_width - 1, STYLE_DIM, _("Host"));
    }
    draw_text(canvas, row, left + columns->state, columns->end - columns->state, STYLE_DIM,
              _("State"));
}

static void row_draw(const struct canvas *canvas, const struct area *area,
                     const struct columns *columns, const struct model *model,
                     const struct table_row *table, bool is_selected)
{
    int row = area->row, left = area->column;
    const struct mine_row *mine = model_find_own_table(model, table->id);
    bool is_turn = mine != NULL && mine->is_turn;
    bool is_quiet = table->phase == TABLE_FINISHED;
    enum style style = is_selected ? STYLE_SELECTED
                       : is_turn   ? STYLE_TURN
                       : is_quiet  ? STYLE_DIM
                                   : STYLE_PLAIN;
    char state[STATE_MAX];
    struct text out = text_init(state, sizeof state);
    if (is_selected) {
        draw_filled_area(canvas, area, style);
        draw_text(canvas, row, left, 1, style, ">");
    }
    draw_formatted_text(canvas, row, left + 1, 4, style, "#%lld", (long long)table->id);
    draw_text(canvas, row, left + columns->game, columns->game_width, style, _(table->game->title));
    draw_formatted_text(canvas, row, left + columns->seats + 1, 5, style, "%d/%d", table->seated,
                        table->players);
    if (table->clock.kind == CLOCK_NONE) {
        text_put(&out, theme_glyph(canvas->theme, GLYPH_DASH));
    } else {
        clock_rule_write(&table->clock, &out);
    }
    draw_text(canvas, row, left + columns->clock, CLOCK_WIDTH - 1, style, state);
    if (columns->host_width > 0) {
        draw_text(canvas, row, left + columns->host, columns->host_width - 1, style, table->host);
    }
    out = text_init(state, sizeof state);
    state_write(canvas->theme, model, table, columns->host_width > 0, &out);
    drop_parts(canvas->theme, columns->end - columns->state, state);
    draw_text(canvas, row, left + columns->state, columns->end - columns->state, style, state);
}

/* With nobody to play with yet: what one can do instead. */
static void empty_draw(const struct lobby_tables *tables, const struct canvas *canvas,
                       const struct area *area, const struct model *model)
{
    int row = area->row + 1, left = area->column + 2, width = area->width - 3;
    if (tables->filter[0] != '\0') {
        draw_formatted_text(canvas, row, left, width, STYLE_PLAIN,
                            _("No table matches \"%s\". F changes the words."), tables->filter);
        return;
    }
    if (tables->show != SHOW_ALL && model->table_count > 0) {
        draw_formatted_text(canvas, row, left, width, STYLE_PLAIN, _("None is %s. f shows others."),
                            lobby_show_title(tables->show));
        return;
    }
    draw_text(canvas, row, left, width, STYLE_STRONG,
              model_count_people(model) > 1 ? _("No table is open yet.")
                                            : _("You have the house to yourself."));
    static const struct {
        const char *key, *text;
    } offers[] = {
        {"b", N_("play against bots now")},
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
    list_clamp(&tables->list, tables->list.count, area->height - 1);
    if (tables->list.count == 0) {
        empty_draw(tables, canvas, area, model);
        return;
    }
    struct columns columns = columns_for(area);
    heading_draw(canvas, area, &columns);
    for (int i = 0; i < tables->list.visible; i++) {
        int at = list_row_at(&tables->list, i);
        if (at >= 0) {
            struct area row = {area->row + 1 + i, area->column, 1, area->width};
            row_draw(canvas, &row, &columns, model, &model->tables[tables->order[at]],
                     is_active && at == tables->list.selected);
        }
    }
}
