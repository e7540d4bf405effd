#include "daemon/screens/drawing/words.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "lobby/protocol/protocol.h"

#include <string.h>

static const struct {
    const char *heading;
    bool is_right_aligned;
} columns[PLAYED_COLUMNS] = {
    [PLAYED_NUMBER] = {N_("Number"), true},          [PLAYED_DAY] = {N_("Finished"), false},
    [PLAYED_DAY_AND_TIME] = {N_("Finished"), false}, [PLAYED_GAME] = {N_("Game"), false},
    [PLAYED_PLACE] = {N_("Place"), false},           [PLAYED_SCORE] = {N_("Score"), true},
    [PLAYED_CHANGE] = {N_("Rating"), true},          [PLAYED_OPPONENTS] = {N_("With"), false},
};

/* Writes "ada, bob and ella", or "ada, ..." if the other names do not fit. */
static void write_opponents(const struct row_players *players, const char *player,
                            int max_opponent_columns, struct text *out)
{
    const char *names[SEATS_MAX];
    size_t count = 0, total = 0;
    int columns_left = max_opponent_columns;
    for (size_t i = 0; i < players->count && total < SEATS_MAX; i++) {
        const char *name = players->at[i].name;
        if (name[0] == '\0' || strcmp(name, player) == 0) {
            continue;
        }
        columns_left -= draw_measure_text(name) + 2;
        names[total++] = name;
        count = columns_left >= -2 || total == 1 ? total : count;
    }
    if (count == total) {
        text_put_list(out, names, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        text_format_list_item(out, "%s", names[i]);
    }
    text_format_list_item(out, "...");
}

bool played_read_game(const json_t *object, const char *player, int max_opponent_columns,
                      struct played *played)
{
    struct game_row row;
    if (!game_row_read(object, &row)) {
        return false;
    }
    *played = (struct played){
        .game_id = row.game_id,
        .ended_ms = row.at_ms,
        .game = row.game,
        .players = row.players.count,
        .rank = row.rank,
        .score = row.score,
        .change_tenths = row.change_tenths,
    };
    struct text opponents = text_init(played->opponents, sizeof played->opponents);
    write_opponents(&row.players, player, max_opponent_columns, &opponents);
    return true;
}

const char *played_column_heading(enum played_column column)
{
    return columns[column].heading;
}

bool played_column_is_right_aligned(enum played_column column)
{
    return columns[column].is_right_aligned;
}

static void write_place_in_result(const struct played *played, struct text *out)
{
    if (played->rank == 0) {
        text_put(out, "-");
    } else {
        text_format(out, _("%d of %d"), played->rank, played->players);
    }
}

static void write_rating_change(const struct played *played, struct text *out)
{
    int32_t change = played->change_tenths / 10;
    if (played->change_tenths == ROW_NONE) {
        text_put(out, "-");
    } else {
        text_format(out, change == 0 ? "%d" : "%+d", change);
    }
}

const char *played_write_cell(const struct played *played, enum played_column column,
                              struct text *out)
{
    switch (column) {
    case PLAYED_NUMBER:
        text_put_number(out, played->game_id);
        break;
    case PLAYED_DAY:
        words_write_day(played->ended_ms, out);
        break;
    case PLAYED_DAY_AND_TIME:
        words_write_day_and_time(played->ended_ms, out);
        break;
    case PLAYED_GAME:
        text_put(out, _(played->game->title));
        break;
    case PLAYED_PLACE:
        write_place_in_result(played, out);
        break;
    case PLAYED_SCORE:
        if (played->score == ROW_NONE) {
            text_put(out, _("left"));
        } else {
            text_put_number(out, played->score);
        }
        break;
    case PLAYED_CHANGE:
        write_rating_change(played, out);
        break;
    case PLAYED_OPPONENTS:
    case PLAYED_COLUMNS:
        text_put(out, played->opponents);
        break;
    }
    return out->at;
}

void played_put_game_line(const struct played *played, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX), place = TEXT_OF(64);
    int32_t change = played->change_tenths / 10;
    write_place_in_result(played, &place);
    text_format(&line, _("%lld: %s, %s, place %s"), (long long)played->game_id,
                words_write_day(played->ended_ms, &TEXT_OF(64)), _(played->game->title), place.at);
    if (played->score == ROW_NONE) {
        text_format_list_item(&line, "%s", _("left for good"));
    } else {
        text_format_list_item(&line, _("score %d"), played->score);
    }
    if (played->change_tenths != ROW_NONE) {
        text_format_list_item(&line, change == 0 ? _("rating unchanged") : _("rating %+d"), change);
    }
    text_format_list_item(&line, _("with %s"), played->opponents);
    lines_format(lines, "%s.", line.at);
}

/* Draws the columns of one game; if `played` is NULL, draws the headings. */
static void draw_game_row_or_headings(const struct canvas *canvas, int row, enum style style,
                                      const struct played_column_area *column_areas,
                                      size_t column_count, const struct played *played)
{
    for (size_t i = 0; i < column_count; i++) {
        const struct played_column_area *place = &column_areas[i];
        struct text out = TEXT_OF(PLAYED_OPPONENTS_SIZE);
        bool is_victory = played != NULL && place->column == PLAYED_PLACE && played->rank == 1;
        if (played == NULL) {
            text_put(&out, _(columns[place->column].heading));
        } else {
            played_write_cell(played, place->column, &out);
        }
        (columns[place->column].is_right_aligned ? draw_text_right_aligned : draw_text)(
            canvas, row, place->left,
            place->width > 0 ? place->width : canvas->body.width - place->left - 1,
            is_victory && style == STYLE_PLAIN ? STYLE_GOOD : style, out.at);
    }
}

void played_draw_list(const struct canvas *canvas, int row, const struct list *list,
                      const struct played *games, const struct played_column_area *column_areas,
                      size_t column_count)
{
    draw_game_row_or_headings(canvas, row, STYLE_DIM, column_areas, column_count, NULL);
    for (int i = 0; i < list->visible && list_row_at_offset(list, i) >= 0; i++) {
        int index = list_row_at_offset(list, i);
        enum style style = index == list->selected ? STYLE_SELECTED : STYLE_PLAIN;
        if (index == list->selected) {
            struct area line = {row + 1 + i, 0, 1, canvas->body.width};
            draw_filled_area(canvas, &line, style);
            draw_text(canvas, row + 1 + i, column_areas[0].left - 2, 1, style, ">");
        }
        draw_game_row_or_headings(canvas, row + 1 + i, style, column_areas, column_count,
                                  &games[index]);
    }
}
