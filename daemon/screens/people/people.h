#pragma once

#include "daemon/screens/drawing/draw.h"
#include "games/text.h"
#include "lobby/protocol/protocol.h"

#include <stdbool.h>
#include <stdint.h>

/* Chooses which leaderboard is shown: of which game, for which time, and of which people. */

enum leader_span {
    LEADER_ALL,
    LEADER_MONTH,
    LEADER_WEEK,
    LEADER_SEASON,
    LEADER_SPANS,
};

struct leader_filter {
    uint8_t game;    /* the game's index in the registry */
    uint8_t players; /* number of players in the games that count; 0: any */
    uint8_t span;    /* span of time of the games that count: one of enum leader_span */
    bool is_friends; /* the list shows only the person and the person's friends */
    bool is_bots;    /* the list shows bots instead of people */
};

/* Pack the filter into one number, the argument of screen_open, and unpack it. An unknown game is
 * replaced by the first game. */
int64_t leader_filter_pack(const struct leader_filter *filter);

/* Reads the arguments of /leaders: a game's name and filters in any order, such as "hearts 4p
 * season". If a word is invalid, returns false and copies that word into `unknown`. */
bool leader_filter_parse(const char *text, struct leader_filter *filter, char *unknown, size_t cap);

/* Draws the columns of leaderboards. */

/* Returns the heading for the game's own statistic: the translated `title`, or "Stat" if `title` is
 * NULL or its translation is too long. */
const char *leader_stat_heading(const char *title);

/* Draws the columns' headings; `first_heading` is the heading of the column of names. */
void leader_draw_headings(const struct canvas *canvas, int screen_row, const char *first_heading,
                          const char *stat_heading);

/* Draws one person's row. Columns that do not fit are left out, the least important ones first. */
void leader_draw_row(const struct canvas *canvas, int screen_row, enum style style,
                     const struct leader_row *row, int64_t now_ms);
