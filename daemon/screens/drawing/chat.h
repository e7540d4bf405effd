#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/model/model.h"

/*
 * A chat pane, with the newest line at the bottom. Each line shows its time, a sign that people
 * cannot type in that place (· for a line of the house, * for an action, > for a direct message)
 * and its text.
 */

#define CHAT_INDENT 8 /* columns of a line's time and its sign, each with the blank after it */

/* Writes a chat line as the pane shows it. */
void chat_write_line(const struct canvas *canvas, const struct model *model,
                     const struct chat_line *line, struct text *out);

/* Draws the lines of a channel into the area, scrolled up by `scrolled_rows` rows from the newest
 * line. The channel is one of enum chat_channel, or the channel of a room. Returns the number of
 * rows that the channel's lines take; the count ends one page above the drawn page. The caller
 * never scrolls up by more than this number minus the area's height. */
int chat_draw(const struct canvas *canvas, const struct area *area, const struct model *model,
              int channel, int scrolled_rows);

/* Writes a chat line for plain mode: "ada: hello", "* ada gets some coffee" or "ada tells you:
 * hello". A line of the house is written unchanged. */
void chat_print_line(const struct model *model, const struct chat_line *line, struct lines *lines);

/* Writes the newest lines of the channel for plain mode, at most `count` lines. */
void chat_print_last_lines(const struct model *model, int channel, int count, struct lines *lines);
