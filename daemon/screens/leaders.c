#include "daemon/base/i18n.h"
#include "daemon/screens/list.h"
#include "daemon/screens/screen.h"
#include "daemon/screens/words.h"

#include <stdio.h>
#include <string.h>

/* The best players of a game; one's own row stays in sight. */

#define CHUNK 50 /* rows fetched at once: the protocol's most */

struct row {
    int32_t rank; /* 0: not listed */
    char name[MODEL_NAME_MAX];
    uint8_t kind; /* enum person_kind */
    struct rating rating;
    int32_t deviation, games, wins, place, finished, best;
    int32_t stat; /* -1: none yet */
    int64_t best_ms, seen_ms;
};

struct leaders {
    uint8_t game;
    struct list list;
    int offset, loaded; /* which rows `rows` holds */
    struct row rows[CHUNK];
    bool has_me, is_young, is_asked, is_there;
    struct row me;
    int64_t asked_tag; /* answers to older questions are dropped */
};

static const struct game_def *game_of(const struct leaders *leaders)
{
    return game_at(leaders->game);
}

static int32_t number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    double number = json_number_value(value);
    return number > -1e9 && number < 1e9 ? (int32_t)(number + (number < 0 ? -0.5 : 0.5)) : 0;
}

static void row_read(const json_t *object, struct row *row)
{
    *row = (struct row){
        .rank = number_of(object, "rank"),
        .rating = {true, json_is_true(json_object_get(object, "is_provisional")),
                   number_of(object, "rating")},
        .deviation = number_of(object, "deviation"),
        .games = number_of(object, "games"),
        .wins = number_of(object, "wins"),
        .place = number_of(object, "place"),
        .stat = json_is_number(json_object_get(object, "stat")) ? number_of(object, "stat") : -1,
        .finished = number_of(object, "finished"),
        .best = number_of(object, "best"),
        .best_ms = model_number(json_object_get(object, "best_at"), 0),
        .seen_ms = model_number(json_object_get(object, "seen_at"), 0),
    };
    char kind[16];
    model_text(json_object_get(object, "name"), row->name, sizeof row->name);
    model_text(json_object_get(object, "kind"), kind, sizeof kind);
    row->kind = strcmp(kind, "bot") == 0 ? PERSON_BOT : PERSON_PLAYER;
}

static void answered(struct ui *ui, void *state, int64_t tag, bool is_ok, const json_t *answer)
{
    struct leaders *leaders = state;
    if (tag != leaders->asked_tag) {
        return;
    }
    leaders->is_asked = false;
    if (!is_ok) {
        screen_refused(ui, answer);
        return;
    }
    leaders->is_there = true;
    leaders->is_young = json_is_true(json_object_get(answer, "is_young"));
    leaders->loaded = 0;
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(answer, "rows"), i, row)
    {
        if (leaders->loaded < CHUNK) {
            row_read(row, &leaders->rows[leaders->loaded++]);
        }
    }
    const json_t *me = json_object_get(answer, "me");
    leaders->has_me = json_is_object(me);
    if (leaders->has_me) {
        row_read(me, &leaders->me);
    }
    int64_t total = model_number(json_object_get(answer, "total"), 0);
    list_fit(&leaders->list, total > 0 && total < INT32_MAX ? (int)total : 0,
             leaders->list.visible);
}

static void fetch(struct ui *ui, struct leaders *leaders, int offset)
{
    const struct game_def *game = game_of(leaders);
    if (game == NULL) {
        return;
    }
    leaders->offset = offset;
    leaders->is_asked = true;
    leaders->asked_tag++;
    screen_request(ui, "leaders",
                   json_pack("{s:s, s:i, s:i}", "game", game->id, "offset", offset, "count", CHUNK),
                   answered, leaders->asked_tag);
}

/* Fetches what the list has come to show, half a chunk before it. */
static void fetch_missing(struct ui *ui, struct leaders *leaders)
{
    const struct list *list = &leaders->list;
    int end = list->top + list->visible < list->count ? list->top + list->visible : list->count;
    bool is_inside = list->top >= leaders->offset && end <= leaders->offset + leaders->loaded;
    if (!is_inside && !leaders->is_asked) {
        fetch(ui, leaders, list->top > CHUNK / 4 ? list->top - CHUNK / 4 : 0);
    }
}

static void game_change(struct ui *ui, struct leaders *leaders, int step)
{
    int count = game_count();
    leaders->game = (uint8_t)((leaders->game + step + count) % count);
    leaders->list = (struct list){.visible = leaders->list.visible};
    leaders->loaded = 0;
    leaders->has_me = false;
    leaders->is_there = false;
    fetch(ui, leaders, 0);
}

static void leaders_enter(struct ui *ui, void *state, int64_t argument)
{
    struct leaders *leaders = state;
    leaders->game = argument > 0 && argument < game_count() ? (uint8_t)argument : 0;
    leaders->is_there = false;
    leaders->list.visible = 1;
    fetch(ui, leaders, 0);
}

/* The columns, each as wide as its heading needs; what does not fit is left out from the right. */
enum column {
    COLUMN_RANK,
    COLUMN_NAME,
    COLUMN_RATING,
    COLUMN_GAMES,
    COLUMN_WINS,
    COLUMN_PLACE,
    COLUMN_STAT,
    COLUMN_SEEN,
    COLUMN_FINISHED,
    COLUMN_BEST,
    COLUMN_COUNT,
};

static const struct {
    const char *title; /* NULL: the game's own */
    int width;
    bool is_right;
} columns[COLUMN_COUNT] = {
    [COLUMN_RANK] = {"#", 4, true},
    [COLUMN_NAME] = {N_("Player"), 17, false},
    [COLUMN_RATING] = {N_("Rating"), 11, false},
    [COLUMN_GAMES] = {N_("Games"), 6, true},
    [COLUMN_WINS] = {N_("Won"), 5, true},
    [COLUMN_PLACE] = {N_("Place"), 6, true},
    [COLUMN_STAT] = {NULL, 11, true},
    [COLUMN_SEEN] = {N_("Seen"), 6, true},
    [COLUMN_FINISHED] = {N_("Finished"), 9, true},
    [COLUMN_BEST] = {N_("Best"), 17, true},
};

static void cell_write(const struct theme *theme, const struct row *row, enum column column,
                       int64_t now_ms, struct text *out)
{
    char words[64] = "";
    switch (column) {
    case COLUMN_RANK:
        if (row->rank > 0) {
            text_put_number(out, row->rank);
        } else {
            text_put(out, theme_glyph(theme, GLYPH_DASH));
        }
        return;
    case COLUMN_NAME:
        text_put(out, row->name);
        text_put(out, row->kind == PERSON_BOT ? _(" (bot)") : "");
        return;
    case COLUMN_RATING:
        words_rating(theme, &row->rating, out);
        text_put(out, " ");
        words_deviation(theme, row->deviation, out);
        return;
    case COLUMN_GAMES:
        text_put_number(out, row->games);
        return;
    case COLUMN_SEEN:
        words_span(theme, row->seen_ms > 0 ? (now_ms - row->seen_ms) / 1000 : 0, out);
        return;
    case COLUMN_BEST:
        snprintf(words, sizeof words, "%d ", row->best);
        text_put(out, words);
        if (row->best_ms > 0) {
            words_day(row->best_ms, out);
        }
        return;
    case COLUMN_WINS:
    case COLUMN_PLACE:
    case COLUMN_STAT:
    case COLUMN_FINISHED:
    case COLUMN_COUNT:
        break;
    }
    int percent = column == COLUMN_WINS    ? row->wins
                  : column == COLUMN_PLACE ? row->place
                  : column == COLUMN_STAT  ? row->stat
                                           : row->finished;
    if (percent < 0) {
        text_put(out, theme_glyph(theme, GLYPH_DASH));
        return;
    }
    text_put_number(out, percent);
    text_put(out, "%");
}

static void cells_draw(const struct canvas *canvas, int at, enum style style,
                       const struct leaders *leaders, const struct row *row, int64_t now_ms)
{
    int left = 1;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        char cell[96];
        struct text out = text_init(cell, sizeof cell);
        if (left + columns[i].width >= canvas->body.width) {
            return;
        }
        if (row != NULL) {
            cell_write(canvas->theme, row, (enum column)i, now_ms, &out);
        } else {
            const char *title =
                columns[i].title != NULL ? columns[i].title : game_of(leaders)->stat.title;
            text_put(&out, title != NULL ? _(title) : "");
        }
        if (columns[i].is_right) {
            draw_text_right(canvas, at, left, columns[i].width, style, cell);
        } else {
            draw_text(canvas, at, left + 1, columns[i].width - 1, style, cell);
        }
        left += columns[i].width + 1;
    }
}

static void row_draw(struct ui *ui, const struct leaders *leaders, const struct canvas *canvas,
                     int at, const struct row *row, bool is_selected)
{
    bool is_you = strcmp(row->name, screen_model(ui)->you.name) == 0;
    enum style style = is_selected ? STYLE_SELECTED : is_you ? STYLE_YOU : STYLE_PLAIN;
    if (is_selected) {
        struct area line = {at, 0, 1, canvas->body.width};
        draw_fill(canvas, &line, style);
    }
    if (is_you) {
        draw_text(canvas, at, 0, 1, style, ">");
    }
    cells_draw(canvas, at, style, leaders, row, screen_unix_now());
}

static const char *state_words(const struct leaders *leaders)
{
    if (!leaders->is_there) {
        return _("Asking the house…");
    }
    return leaders->list.count == 0
               ? _("Nobody has finished a rated game yet. Rated are games with a clock and "
                   "at least two people.")
               : NULL;
}

/* What the columns mean, at the foot of the body. Returns its rows. */
static int explanation_draw(const struct leaders *leaders, const struct canvas *canvas)
{
    char line[400];
    snprintf(line, sizeof line, "%s%s",
             leaders->is_young ? _("Nobody has the 30 rated games yet that this list asks for, so "
                                   "everybody is on it. ")
                               : "",
             _("? : the rating is still unsure. Won: shared wins count in part. Place: 100% is "
               "always first, 0% always last."));
    struct area area = {0, 2, 4, canvas->body.width - 4};
    int rows = draw_wrapped(NULL, &area, STYLE_SYSTEM, line, 0, 0);
    area.row = canvas->body.row + canvas->body.height - rows;
    draw_wrapped(canvas, &area, STYLE_SYSTEM, line, 0, 0);
    return rows;
}

/* One's own row stands below the list when the list does not show it. */
static bool is_me_pinned(const struct leaders *leaders)
{
    int at = leaders->me.rank - 1;
    return leaders->has_me && (leaders->me.rank == 0 || at < leaders->list.top ||
                               at >= leaders->list.top + leaders->list.visible);
}

static void leaders_draw(struct ui *ui, void *state, const struct canvas *canvas)
{
    struct leaders *leaders = state;
    const struct game_def *game = game_of(leaders);
    char title[96], facts[64] = "";
    if (game == NULL) {
        return;
    }
    snprintf(title, sizeof title, _("The best at %s"), _(game->title));
    if (leaders->list.count > 0) {
        snprintf(facts, sizeof facts,
                 ngettext("%d player", "%d players", (unsigned long)leaders->list.count),
                 leaders->list.count);
    }
    draw_header(canvas, title, facts);
    int top = canvas->body.row + 3;
    /* Less the two rows of one's own and a free one. */
    int rows = canvas->body.height - 3 - 3;
    rows -= leaders->is_there && leaders->list.count > 0 ? explanation_draw(leaders, canvas) : 0;
    list_fit(&leaders->list, leaders->list.count, rows);
    const char *words = state_words(leaders);
    if (words != NULL) {
        struct area area = {top, 2, 3, canvas->body.width - 4};
        draw_wrapped(canvas, &area, STYLE_PLAIN, words, 0, 0);
        return;
    }
    cells_draw(canvas, top - 1, STYLE_DIM, leaders, NULL, 0);
    for (int i = 0; i < rows; i++) {
        int at = list_row_at(&leaders->list, i);
        if (at >= leaders->offset && at < leaders->offset + leaders->loaded) {
            row_draw(ui, leaders, canvas, top + i, &leaders->rows[at - leaders->offset],
                     at == leaders->list.selected);
        }
    }
    if (is_me_pinned(leaders)) {
        draw_across(canvas, top + rows, 1, canvas->body.width - 2, GLYPH_HORIZONTAL);
        row_draw(ui, leaders, canvas, top + rows + 1, &leaders->me, false);
    }
}

static bool leaders_key(struct ui *ui, void *state, const struct press *press)
{
    struct leaders *leaders = state;
    if (game_count() > 1 && (press->kind == PRESS_TAB || press->kind == PRESS_RIGHT)) {
        game_change(ui, leaders, 1);
        return true;
    }
    if (game_count() > 1 && (press->kind == PRESS_BACKTAB || press->kind == PRESS_LEFT)) {
        game_change(ui, leaders, -1);
        return true;
    }
    if (list_key(&leaders->list, press)) {
        fetch_missing(ui, leaders);
        return true;
    }
    return false;
}

static void row_tell(const struct leaders *leaders, const struct row *row, struct lines *lines)
{
    static const struct theme told = {.is_ascii = true, .is_told = true};
    char line[LINES_LINE_MAX];
    struct text out = text_init(line, sizeof line);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        char cell[96];
        struct text text = text_init(cell, sizeof cell);
        const char *title = i == COLUMN_STAT ? game_of(leaders)->stat.title : columns[i].title;
        cell_write(&told, row, (enum column)i, screen_unix_now(), &text);
        if (i > COLUMN_NAME) {
            text_put(&out, ", ");
            text_put(&out, title != NULL ? _(title) : "");
        }
        text_put(&out, i > COLUMN_RANK ? " " : "");
        text_put(&out, cell);
    }
    lines_format(lines, "%s.", line);
}

static bool leaders_tell(struct ui *ui, void *state, struct lines *lines)
{
    const struct leaders *leaders = state;
    const char *words = state_words(leaders);
    (void)ui;
    if (!leaders->is_there || game_of(leaders) == NULL) {
        return false;
    }
    lines_format(lines, _("The best at %s. Other games: /leaders and a game's name."),
                 _(game_of(leaders)->title));
    if (words != NULL) {
        lines_put(lines, words);
    }
    for (int i = 0; i < leaders->loaded; i++) {
        row_tell(leaders, &leaders->rows[i], lines);
    }
    if (leaders->has_me && (leaders->me.rank == 0 || leaders->me.rank > leaders->loaded)) {
        row_tell(leaders, &leaders->me, lines);
    }
    return true;
}

static void leaders_hints(struct ui *ui, void *state, struct hints *hints)
{
    const struct leaders *leaders = state;
    if (game_count() > 1) {
        hints_add(hints, "Tab", _("next game"));
    }
    if (leaders->list.count > 1) {
        hints_add(hints, screen_theme(ui)->is_ascii ? "Up Down" : "↑ ↓", _("scroll"));
    }
    hints_add(hints, "?", _("help"));
    hints_add(hints, "q", _("back"));
}

static const struct screen_key leaders_keys[] = {
    {"Tab", N_("the next game; left and right too"), NULL},
    {NULL, NULL, NULL},
};

const struct screen leaders_screen = {
    .name = "leaders",
    .title = N_("Leaderboard"),
    .state_size = sizeof(struct leaders),
    .keys = leaders_keys,
    .enter = leaders_enter,
    .draw = leaders_draw,
    .key = leaders_key,
    .hints = leaders_hints,
    .tell = leaders_tell,
};
