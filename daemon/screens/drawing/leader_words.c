#include "daemon/screens/drawing/words.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"

#include <stdio.h>

#define CELL_BYTES 96

static const struct {
    const char *title;
    const char *brief; /* a heading of at most five characters; NULL: the title is short enough */
    const char *told;  /* the heading in plain mode; NULL: the title */
} headings[LEADER_COLUMNS] = {
    [LEADER_RANK] = {"#", NULL, ""},
    [LEADER_CHANGE] = {N_("7 d"), NULL, N_("in 7 days")},
    [LEADER_NAME] = {N_("Player"), NULL, ""},
    [LEADER_RATING] = {N_("Rating"), NULL, NULL},
    [LEADER_GAMES] = {N_("Games"), NULL, NULL},
    [LEADER_WINS] = {N_("Won"), NULL, NULL},
    [LEADER_PLACE] = {N_("Place"), NULL, NULL},
    [LEADER_STAT] = {N_("Stat"), NULL, NULL},
    [LEADER_FINISHED] = {N_("Finished"), N_("Ends"), NULL},
    [LEADER_STREAK] = {N_("Streak"), NULL, NULL},
    [LEADER_BEST] = {N_("Best"), NULL, NULL},
    [LEADER_BEST_DAY] = {"", NULL, ""},
    [LEADER_SEEN] = {N_("Seen"), NULL, NULL},
};

const char *leader_column_heading(enum leader_column column, bool is_short)
{
    const char *brief = headings[column].brief;
    return is_short && brief != NULL ? brief : headings[column].title;
}

static void write_leader_name(const struct leader_row *row, struct text *out)
{
    if (row->kind == PERSON_BOT) {
        text_format(out, "%s (%s)", row->name,
                    person_label(PERSON_BOT, (enum bot_level)row->level, ROLE_PLAYER));
        return;
    }
    text_format(out,
                row->role == ROLE_ADMIN ? _("%s (admin)")
                : row->role == ROLE_MOD ? _("%s (mod)")
                                        : "%s",
                row->name);
}

static void write_percent(const struct theme *theme, int32_t percent_tenths, struct text *out)
{
    if (percent_tenths == ROW_NONE) {
        text_put(out, theme_glyph_text(theme, GLYPH_DASH));
    } else {
        text_format(out, "%d%%", (percent_tenths + 5) / 10);
    }
}

const char *leader_write_cell(const struct theme *theme, const struct leader_row *row,
                              enum leader_column column, int64_t now_ms, struct text *out)
{
    switch (column) {
    case LEADER_RANK:
        if (row->rank > 0) {
            text_put_number(out, row->rank);
        } else {
            text_put(out, theme_glyph_text(theme, GLYPH_DASH));
        }
        break;
    case LEADER_CHANGE:
        text_format(out, row->change_week == 0 ? "%d" : "%+d", row->change_week);
        break;
    case LEADER_NAME:
        write_leader_name(row, out);
        break;
    case LEADER_RATING:
        words_write_rating(theme, &row->rating, out);
        text_put(out, " ");
        words_write_rating_deviation(theme, row->deviation, out);
        break;
    case LEADER_GAMES:
        text_put_number(out, row->games);
        break;
    case LEADER_WINS:
        write_percent(theme, row->wins_tenths, out);
        break;
    case LEADER_PLACE:
        write_percent(theme, row->place_tenths, out);
        break;
    case LEADER_STAT:
        write_percent(theme, row->stat_tenths, out);
        break;
    case LEADER_FINISHED:
        write_percent(theme, row->finished_tenths, out);
        break;
    case LEADER_STREAK:
        text_format(out, row->streak == 0 ? "%d" : "%+d", row->streak);
        break;
    case LEADER_BEST:
        text_put_number(out, row->best);
        break;
    case LEADER_BEST_DAY:
        if (row->best_ms > 0) {
            words_write_day(row->best_ms, out);
        }
        break;
    case LEADER_SEEN:
        words_write_duration(theme, row->seen_ms > 0 ? (now_ms - row->seen_ms) / 1000 : 0, out);
        break;
    case LEADER_COLUMNS:
        break;
    }
    return out->at;
}

/* Appends a value with its heading: ", Won 63%", or " ada" where the heading is empty. */
static void append_value_with_heading(const struct leader_row *row, enum leader_column column,
                                      const char *heading, int64_t now_ms, struct text *out)
{
    struct text text = TEXT_OF(CELL_BYTES);
    leader_write_cell(&theme_plain, row, column, now_ms, &text);
    if (text.len > 0) {
        text_put(out, out->len == 0 ? "" : heading[0] == '\0' ? " " : ", ");
        text_format(out, "%s%s%s", heading[0] == '\0' ? "" : _(heading),
                    heading[0] == '\0' ? "" : " ", text.at);
    }
}

void leader_put_row_line(const struct leader_row *row, const char *stat_title, int64_t now_ms,
                         struct lines *lines)
{
    struct text out = TEXT_OF(LINES_LINE_MAX);
    for (int i = 0; i < LEADER_COLUMNS; i++) {
        const char *told = headings[i].told != NULL ? headings[i].told : headings[i].title;
        if (i != LEADER_CHANGE) { /* the change of rating is written last, where it reads better */
            append_value_with_heading(row, (enum leader_column)i,
                                      i == LEADER_STAT ? stat_title : told, now_ms, &out);
        }
    }
    append_value_with_heading(row, LEADER_CHANGE, headings[LEADER_CHANGE].told, now_ms, &out);
    lines_format(lines, "%s.", out.at);
}

bool leader_read_standing(const json_t *object, struct leader_row *row,
                          struct standing_row *standing)
{
    if (!leader_row_read(object, row) || !standing_row_read(object, standing)) {
        return false;
    }
    snprintf(row->name, sizeof row->name, "%s", _(standing->game->title));
    row->kind = PERSON_PLAYER;
    row->role = ROLE_PLAYER;
    return true;
}
