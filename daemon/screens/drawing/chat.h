#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/model/model.h"

/*
 * A pane of talk, newest line at the bottom: time of day, a sign that only the house can write
 * (· its own line, * what somebody does, > said to one person alone), then the words.
 */

/* Draws a channel (enum chat_channel, or a room's) into the area, `scroll` rows above the newest.
 * Returns how many rows there are up to one page above what is shown, so that a caller can bound
 * its scroll to that less the area's height. */
int chat_draw(const struct canvas *canvas, const struct area *area, const struct model *model,
              int channel, int scroll);

/* "ada: hello", "* ada gets some coffee", "ada tells you: hello"; the house's own line by itself.
 */
void chat_tell(const struct model *model, const struct chat_line *line, struct lines *lines);

/* The newest lines of the channel, at most `count`. */
void chat_tell_last(const struct model *model, int channel, int count, struct lines *lines);
