#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "lobby/protocol/rows.h"

/* The columns of a leaderboard's rows. */

/* The heading for the game's own statistic: its title, or "Stat" if that is too long or NULL
 * (several games). */
const char *leader_stat_heading(const char *title);

/* Paints the columns' headings; `first` is the heading of the names. */
void leader_draw_headings(const struct canvas *canvas, int at, const char *first, const char *stat);

/* Paints a row as far as the width allows: the least important columns are left out first. */
void leader_draw_row(const struct canvas *canvas, int at, enum style style,
                     const struct leader_row *row, int64_t now_ms);
