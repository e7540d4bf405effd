#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/model/model.h"

/*
 * A chat pane, with the newest line at the bottom. A line has its time, a sign that only the house
 * can write (· a line of the house, * an action, > a direct message) and its text.
 */

/* Draws the lines of a channel into the area, `scroll` rows above the newest line. The channel is
 * one of enum chat_channel, or the channel of a room. Returns how many rows the channel's lines
 * have, but at most one page more than is drawn. The caller never scrolls up by more than this
 * number minus the area's height. */
int chat_draw(const struct canvas *canvas, const struct area *area, const struct model *model,
              int channel, int scroll);

/* Writes "ada: hello", "* ada gets some coffee" or "ada tells you: hello". A line of the house is
 * written unchanged. */
void chat_print_line(const struct model *model, const struct chat_line *line, struct lines *lines);

/* Writes the newest lines of the channel, at most `count`. */
void chat_print_last_lines(const struct model *model, int channel, int count, struct lines *lines);
