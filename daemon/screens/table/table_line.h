#pragma once

#include <stdbool.h>

struct ui;

/* Catches a line that is about to be said at a table although it is a move, or a move typed at the
 * wrong time: makes the move, or tells the player why the line was not said. Returns false for any
 * other line. It is the table's screen.catches_line. */
bool table_catch_line(struct ui *ui, void *opaque, const char *line);
