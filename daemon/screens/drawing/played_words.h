#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/list.h"
#include "games/game.h"
#include "games/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Describes a finished game from the view of one player, in the same way on screens, in plain mode
 * and in queries. */

#define PLAYED_OPPONENTS_SIZE 120

/* A finished game as lists show it. It takes a hundred bytes, while the JSON row from the core
 * takes a thousand. */
struct played {
    int64_t game_id, ended_ms; /* unix time */
    const struct game_def *game;
    uint8_t players, rank; /* the player's rank; 0: the player has none */
    int32_t score;         /* the player's score; ROW_NONE: the player left for good */
    int32_t change_tenths; /* the change of the player's rating; ROW_NONE: the game was not rated */
    char opponents[PLAYED_OPPONENTS_SIZE]; /* names of the other players, as a list */
};

enum played_column {
    PLAYED_NUMBER,
    PLAYED_DAY,
    PLAYED_DAY_AND_TIME,
    PLAYED_GAME,
    PLAYED_PLACE,
    PLAYED_SCORE,
    PLAYED_CHANGE,
    PLAYED_OPPONENTS,
    PLAYED_COLUMNS,
};

/* The area in which a screen draws a column. If the width is 0, the column ends at the right edge
 * of the screen. */
struct played_column_area {
    enum played_column column;
    int left, width;
};

/* Reads a finished game from the JSON row `object`, as `player` sees the game. The list of
 * opponents has as many names as fit in max_opponent_columns. False if the row is malformed or the
 * game is unknown. */
bool played_read_game(const json_t *object, const char *player, int max_opponent_columns,
                      struct played *played);

/* The heading of a column, not translated. */
const char *played_column_heading(enum played_column column);

/* True for columns of numbers, which are right-aligned. */
bool played_column_is_right_aligned(enum played_column column);

/* Writes the value of one column, and returns all of `out`: "12", "2026-11-20", "1 of 4", "+12". */
const char *played_write_cell(const struct played *played, enum played_column column,
                              struct text *out);

/* Adds a line for plain mode: "12: 2026-11-20, (title), place 1 of 4, score 31, rating +12, with
 * ada and bob." */
void played_put_game_line(const struct played *played, struct lines *lines);

/* Draws the headings in screen row `row`, and below them the visible games of the list. */
void played_draw_list(const struct canvas *canvas, int row, const struct list *list,
                      const struct played *games, const struct played_column_area *column_areas,
                      size_t column_count);
