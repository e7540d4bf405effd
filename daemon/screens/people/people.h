#pragma once

#include "daemon/screens/drawing/draw.h"
#include "games/text.h"
#include "lobby/protocol/protocol.h"

#include <stdbool.h>
#include <stdint.h>

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
