#pragma once

#include "daemon/screens/table/table_state.h"

/* The table in lines, for plain mode. */

/* Plain mode: all of it; what the pushes `view` and `table` bring; a line typed. */
bool table_print(struct ui *ui, void *opaque, struct lines *lines);
void table_print_view_changes(struct ui *ui, struct table_state *state);
void table_print_table_changes(struct ui *ui, struct table_state *state);
bool table_handle_line(struct ui *ui, void *opaque, const char *line);
int64_t table_print_clock_warning(struct ui *ui, void *opaque);
