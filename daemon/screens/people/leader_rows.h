#pragma once

#include "daemon/screens/drawing/draw.h"
#include "lobby/protocol/rows.h"

/* Draws the columns of leaderboards. */

/* Returns the heading for the game's own statistic: its translated title, or "Stat" if that is NULL
 * or too long. */
const char *leader_stat_heading(const char *title);

/* Draws the columns' headings; `first_heading` is the heading of the names. */
void leader_draw_headings(const struct canvas *canvas, int screen_row, const char *first_heading,
                          const char *stat_heading);

/* Draws a row as far as the width allows; the least important columns are left out first. */
void leader_draw_row(const struct canvas *canvas, int screen_row, enum style style,
                     const struct leader_row *row, int64_t now_ms);
