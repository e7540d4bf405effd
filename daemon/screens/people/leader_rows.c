#include "daemon/screens/people/leader_rows.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/drawing/words.h"

#include <stdio.h>
#include <string.h>

enum column {
    COLUMN_RANK,
    COLUMN_CHANGE,
    COLUMN_NAME,
    COLUMN_RATING,
    COLUMN_GAMES,
    COLUMN_WINS,
    COLUMN_PLACE,
    COLUMN_STAT,
    COLUMN_FINISHED,
    COLUMN_STREAK,
    COLUMN_BEST,
    COLUMN_SEEN,
    COLUMN_COUNT,
};

/* Each is as wide as its heading and its content need. Those above a width of 80 are shown on wider
 * screens. */
static const struct {
    const char *title; /* NULL: the game's own */
    const char *told;  /* in plain mode; NULL: the title */
    int width;
    bool is_right;
    bool is_extra;
} columns[COLUMN_COUNT] = {
    [COLUMN_RANK] = {"#", NULL, 5, true, false},
    [COLUMN_CHANGE] = {N_("7 d"), N_("in 7 days"), 5, true, false},
    [COLUMN_NAME] = {N_("Player"), NULL, 16, false, false},
    [COLUMN_RATING] = {N_("Rating"), NULL, 11, false, false},
    [COLUMN_GAMES] = {N_("Games"), NULL, 6, true, false},
    [COLUMN_WINS] = {N_("Won"), NULL, 5, true, false},
    [COLUMN_PLACE] = {N_("Place"), NULL, 6, true, false},
    [COLUMN_STAT] = {NULL, NULL, 11, true, false},
    [COLUMN_FINISHED] = {N_("Finished"), NULL, 9, true, true},
    [COLUMN_STREAK] = {N_("Streak"), NULL, 7, true, true},
    [COLUMN_BEST] = {N_("Best"), NULL, 16, true, true},
    [COLUMN_SEEN] = {N_("Seen"), NULL, 5, true, false},
};

static void signed_write(int32_t number, struct text *out)
{
    char words[16];
    snprintf(words, sizeof words, number == 0 ? "%d" : "%+d", number);
    text_put(out, words);
}

static void name_write(const struct leader_row *row, struct text *out)
{
    text_format(out,
                row->kind == PERSON_BOT   ? _("%s (bot)")
                : row->role == ROLE_ADMIN ? _("%s (admin)")
                : row->role == ROLE_MOD   ? _("%s (mod)")
                                          : "%s",
                row->name);
}

static void percent_write(const struct theme *theme, int32_t tenths, struct text *out)
{
    if (tenths == ROW_NONE) {
        text_put(out, theme_glyph(theme, GLYPH_DASH));
        return;
    }
    text_put_number(out, (tenths + 5) / 10);
    text_put(out, "%");
}

static void best_write(const struct leader_row *row, struct text *out)
{
    text_put_number(out, row->best);
    if (row->best_ms > 0) {
        text_put(out, " ");
        words_day(row->best_ms, out);
    }
}

static void cell_write(const struct theme *theme, const struct leader_row *row, enum column column,
                       int64_t now_ms, struct text *out)
{
    switch (column) {
    case COLUMN_RANK:
        if (row->rank > 0) {
            text_put_number(out, row->rank);
        } else {
            text_put(out, theme_glyph(theme, GLYPH_DASH));
        }
        break;
    case COLUMN_CHANGE:
        signed_write(row->change_week, out);
        break;
    case COLUMN_NAME:
        name_write(row, out);
        break;
    case COLUMN_RATING:
        words_rating(theme, &row->rating, out);
        text_put(out, " ");
        words_deviation(theme, row->deviation, out);
        break;
    case COLUMN_GAMES:
        text_put_number(out, row->games);
        break;
    case COLUMN_WINS:
        percent_write(theme, row->wins_tenths, out);
        break;
    case COLUMN_PLACE:
        percent_write(theme, row->place_tenths, out);
        break;
    case COLUMN_STAT:
        percent_write(theme, row->stat_tenths, out);
        break;
    case COLUMN_FINISHED:
        percent_write(theme, row->finished_tenths, out);
        break;
    case COLUMN_STREAK:
        signed_write(row->streak, out);
        break;
    case COLUMN_BEST:
        best_write(row, out);
        break;
    case COLUMN_SEEN:
        words_span(theme, row->seen_ms > 0 ? (now_ms - row->seen_ms) / 1000 : 0, out);
        break;
    case COLUMN_COUNT:
        break;
    }
}

/* Adds the columns of one kind that fit; `used` is their total width. */
static uint32_t columns_add(int width, bool is_extra, int *used)
{
    uint32_t fit = 0;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (columns[i].is_extra == is_extra && *used + columns[i].width < width) {
            fit |= 1U << i;
            *used += columns[i].width + 1;
        }
    }
    return fit;
}

/* The columns that fit: all normal ones, then extra ones in their order. */
static uint32_t columns_fit(int width)
{
    int used = 1;
    uint32_t fit = columns_add(width, false, &used);
    return fit | columns_add(width, true, &used);
}

const char *leader_stat_heading(const char *title)
{
    return title != NULL && draw_width(_(title)) <= columns[COLUMN_STAT].width ? _(title)
                                                                               : _("Stat");
}

static void cell_draw(const struct canvas *canvas, const struct area *area, int column,
                      enum style style, const char *cell)
{
    if (columns[column].is_right) {
        draw_text_right(canvas, area->row, area->column, area->width, style, cell);
    } else {
        draw_text(canvas, area->row, area->column + 1, area->width - 1, style, cell);
    }
}

/* Draws a row, or with NULL the headings; `heads` are those of the names and of the statistic. */
static void cells_draw(const struct canvas *canvas, int at, enum style style,
                       const struct leader_row *row, int64_t now_ms, const char *const heads[2])
{
    uint32_t fit = columns_fit(canvas->body.width);
    struct area area = {at, 1, 1, 0};
    for (int i = 0; i < COLUMN_COUNT; i++) {
        char cell[96];
        struct text out = text_init(cell, sizeof cell);
        if ((fit >> i & 1) == 0) {
            continue;
        }
        if (row != NULL) {
            cell_write(canvas->theme, row, (enum column)i, now_ms, &out);
        } else {
            text_put(&out, i == COLUMN_NAME   ? heads[0]
                           : i == COLUMN_STAT ? heads[1]
                                              : _(columns[i].title));
        }
        area.width = columns[i].width;
        cell_draw(canvas, &area, i, style, cell);
        area.column += columns[i].width + 1;
    }
}

void leader_head_draw(const struct canvas *canvas, int at, const char *first, const char *stat)
{
    cells_draw(canvas, at, STYLE_DIM, NULL, 0, (const char *const[]){first, stat});
}

void leader_row_draw(const struct canvas *canvas, int at, enum style style,
                     const struct leader_row *row, int64_t now_ms)
{
    cells_draw(canvas, at, style, row, now_ms, (const char *const[]){"", ""});
}

void leader_row_tell(const struct leader_row *row, const char *stat, int64_t now_ms,
                     struct lines *lines)
{
    static const struct theme told = {.is_ascii = true, .is_told = true};
    char line[LINES_LINE_MAX];
    struct text out = text_init(line, sizeof line);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        char cell[96];
        struct text text = text_init(cell, sizeof cell);
        const char *title = i == COLUMN_STAT          ? stat
                            : columns[i].told != NULL ? columns[i].told
                                                      : columns[i].title;
        bool is_bare = i == COLUMN_RANK || i == COLUMN_NAME;
        cell_write(&told, row, (enum column)i, now_ms, &text);
        if (i == COLUMN_CHANGE) {
            continue; /* on the line below, where it reads better */
        }
        text_put(&out, i == COLUMN_RANK ? "" : is_bare ? " " : ", ");
        text_put(&out, is_bare || title == NULL ? "" : _(title));
        text_put(&out, is_bare ? "" : " ");
        text_put(&out, cell);
    }
    text_put(&out, ", ");
    text_put(&out, _(columns[COLUMN_CHANGE].told));
    text_put(&out, " ");
    signed_write(row->change_week, &out);
    lines_format(lines, "%s.", line);
}
