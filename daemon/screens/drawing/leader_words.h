#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/theme.h"
#include "lobby/protocol/rows.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Describes a row of a leaderboard in words, in the same way on screens, in plain mode and in
 * queries. */

enum leader_column {
    LEADER_RANK,
    LEADER_CHANGE,
    LEADER_NAME,
    LEADER_RATING,
    LEADER_GAMES,
    LEADER_WINS,
    LEADER_PLACE,
    LEADER_STAT,
    LEADER_FINISHED,
    LEADER_STREAK,
    LEADER_BEST,
    LEADER_BEST_DAY,
    LEADER_SEEN,
    LEADER_COLUMNS,
};

/* The heading of a column, not translated. If is_short, it has at most five characters. */
const char *leader_column_heading(enum leader_column column, bool is_short);

/* Writes the value of one column of a leader's row, and returns all of `out`: "12", "1583? ±120",
 * "63%", "2026-11-20". now_ms is unix time. */
const char *leader_write_cell(const struct theme *theme, const struct leader_row *row,
                              enum leader_column column, int64_t now_ms, struct text *out);

/* Adds a line for plain mode with all values of a leader's row, each with its heading. stat_title
 * is the untranslated title of the statistic that only this game has. */
void leader_put_row_line(const struct leader_row *row, const char *stat_title, int64_t now_ms,
                         struct lines *lines);

/* Reads a player's rating and results in one game, as a profile lists them, into a leader's row.
 * The game's title becomes the row's name. False if the game is unknown. */
bool leader_read_standing(const json_t *object, struct leader_row *row,
                          struct standing_row *standing);
