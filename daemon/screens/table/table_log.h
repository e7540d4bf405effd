#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"

/* Draws and prints the log of the entered table's game (model_log.h). */

/* What a pane shows of the log. */
struct table_log_part {
    int line_count;    /* the lines before this one */
    int scrolled_rows; /* number of rows by which they are scrolled up from the newest one */
};

/* Draws the log into the area, the newest line at the bottom. */
void table_log_draw(const struct canvas *canvas, const struct area *area, const struct model *model,
                    const struct words *words, int line_count);

/* Draws the log with what the house has said at the table since its first line, such as claims and
 * pauses. Returns the number of rows that all lines take. */
int table_log_draw_with_house(const struct canvas *canvas, const struct area *area,
                              const struct model *model, const struct words *words,
                              const struct table_log_part *part);

/* Draws the newest lines of the log and of the table's chat, in the order of time. Lines of the
 * house that only tell who comes and goes are left out. */
void table_log_draw_with_talk(const struct canvas *canvas, const struct area *area,
                              const struct model *model, const struct words *words, int line_count);

/* Writes line `index` of the log, without its sign, for screens that draw. */
void table_log_write_line(const struct words *words, const struct table_log *log, int index,
                          struct text *out);

/* Prints all lines that table_log_draw_with_house draws. */
void table_log_print(const struct model *model, const struct words *words, struct lines *lines);

/* The announcement of a great moment that still stands at now_ms, for `hold_ms` from its beginning;
 * NULL if there is none. */
const struct phrase *table_log_find_great_moment(const struct model_entered *entered,
                                                 int64_t now_ms, int64_t hold_ms);
