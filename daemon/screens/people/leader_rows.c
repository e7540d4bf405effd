#include "daemon/screens/people/people.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"

/* Each column is as wide as its heading and its content need. Extra columns are shown on screens
 * wider than 80 columns. */
static const struct {
    int width;
    bool is_right;
    bool is_extra;
} columns[LEADER_COLUMNS] = {
    [LEADER_RANK] = {5, true, false},    [LEADER_CHANGE] = {5, true, false},
    [LEADER_NAME] = {16, false, false},  [LEADER_RATING] = {11, false, false},
    [LEADER_GAMES] = {6, true, false},   [LEADER_WINS] = {5, true, false},
    [LEADER_PLACE] = {6, true, false},   [LEADER_STAT] = {11, true, false},
    [LEADER_FINISHED] = {9, true, true}, [LEADER_STREAK] = {7, true, true},
    [LEADER_BEST] = {5, true, true},     [LEADER_BEST_DAY] = {11, true, true},
    [LEADER_SEEN] = {5, true, false},
};

/* Returns which of the extra columns (is_extra) or of the basic ones still fit into `width`, a bit
 * for each. Adds their widths to *used_width. */
static uint32_t select_columns_that_fit(int width, bool is_extra, int *used_width)
{
    uint32_t fit = 0;
    for (int i = 0; i < LEADER_COLUMNS; i++) {
        if (columns[i].is_extra == is_extra && *used_width + columns[i].width < width) {
            fit |= 1U << i;
            *used_width += columns[i].width + 1;
        }
    }
    return fit;
}

const char *leader_stat_heading(const char *title)
{
    bool is_short = title != NULL && draw_measure_text(_(title)) <= columns[LEADER_STAT].width;
    return is_short ? _(title) : _("Stat");
}

static void draw_leaderboard_cell(const struct canvas *canvas, const struct area *area, int column,
                                  enum style style, const char *cell)
{
    if (columns[column].is_right) {
        draw_text_right_aligned(canvas, area->row, area->column, area->width, style, cell);
    } else {
        draw_text(canvas, area->row, area->column + 1, area->width - 1, style, cell);
    }
}

/* Draws one person's row, or the headings if `row` is NULL. headings[] holds the headings of two
 * columns: the names and the game's statistic. */
static void draw_row_or_headings(const struct canvas *canvas, int screen_row, enum style style,
                                 const struct leader_row *row, int64_t now_ms,
                                 const char *const headings[2])
{
    int used = 1;
    uint32_t fit = select_columns_that_fit(canvas->body.width, false, &used);
    fit |= select_columns_that_fit(canvas->body.width, true, &used);
    struct area area = {screen_row, 1, 1, 0};
    for (int i = 0; i < LEADER_COLUMNS; i++) {
        struct text out = TEXT_OF(96);
        const char *heading = leader_column_heading((enum leader_column)i, false);
        if ((fit >> i & 1) == 0) {
            continue;
        }
        if (row != NULL) {
            leader_write_cell(canvas->theme, row, (enum leader_column)i, now_ms, &out);
        } else {
            text_put(&out, i == LEADER_NAME     ? headings[0]
                           : i == LEADER_STAT   ? headings[1]
                           : heading[0] != '\0' ? _(heading)
                                                : "");
        }
        area.width = columns[i].width;
        draw_leaderboard_cell(canvas, &area, i, style, out.at);
        area.column += columns[i].width + 1;
    }
}

void leader_draw_headings(const struct canvas *canvas, int screen_row, const char *first_heading,
                          const char *stat_heading)
{
    draw_row_or_headings(canvas, screen_row, STYLE_DIM, NULL, 0,
                         (const char *const[]){first_heading, stat_heading});
}

void leader_draw_row(const struct canvas *canvas, int screen_row, enum style style,
                     const struct leader_row *row, int64_t now_ms)
{
    draw_row_or_headings(canvas, screen_row, style, row, now_ms, (const char *const[]){"", ""});
}
