#pragma once

#include "daemon/screens/table/table_state.h"

/* The table in lines, for plain mode. */

/* Plain mode: all of it; what the pushes `view` and `table` bring; a line typed. */
bool table_tell(struct ui *ui, void *opaque, struct lines *lines);
void table_tell_view(struct ui *ui, struct table_state *state);
void table_tell_table(struct ui *ui, struct table_state *state);
bool table_line(struct ui *ui, void *opaque, const char *line);
int64_t table_tell_pass(struct ui *ui, void *opaque);
