#pragma once

#include "daemon/screens/table/table_state.h"

/* Prints the table as lines of text, for plain mode. */

/* table_print prints the whole table, and table_print_view_changes and table_print_table_changes
 * what the core's messages `view` and `table` change. table_handle_typed_line carries out a typed
 * line. table_print_clock_warning prints a warning when little time is left. */
bool table_print(struct ui *ui, void *opaque, struct lines *lines);
void table_print_view_changes(struct ui *ui, struct table_state *state);
void table_print_table_changes(struct ui *ui, struct table_state *state);
bool table_handle_typed_line(struct ui *ui, void *opaque, const char *typed_line);
int64_t table_print_clock_warning(struct ui *ui, void *opaque);
