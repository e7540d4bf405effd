#pragma once

#include "daemon/screens/table/table_state.h"

/* Prints the table as lines, for plain mode. */

/* table_print prints the whole table. The other functions print what the pushes `view` and `table`
 * change, handle a typed line, and print a warning when little time is left. */
bool table_print(struct ui *ui, void *opaque, struct lines *lines);
void table_print_view_changes(struct ui *ui, struct table_state *state);
void table_print_table_changes(struct ui *ui, struct table_state *state);
bool table_handle_line(struct ui *ui, void *opaque, const char *line);
int64_t table_print_clock_warning(struct ui *ui, void *opaque);
