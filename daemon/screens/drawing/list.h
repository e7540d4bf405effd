#pragma once

#include "daemon/screens/drawing/press.h"

#include <stdbool.h>

/* A scrolling list with a selected row. The caller draws `visible` rows, beginning with row
 * `top`. */
struct list {
    int selected; /* index of the selected row */
    int top;      /* index of the first row shown */
    int count;
    int visible; /* number of rows that were shown at the last draw */
};

/* Sets the list's size before it is drawn, and scrolls so that the selected row is visible. */
void list_set_size(struct list *list, int row_count, int visible_rows);

/* Moves the selection if the key is an arrow up or down, Page Up or Down, Home, End, j, k or the
 * mouse wheel. True if the key was one of these. */
bool list_handle_key(struct list *list, const struct press *press);

/* Returns the index of the row that is shown `offset` rows below the list's top; -1 if there is
 * none. */
int list_row_at_offset(const struct list *list, int offset);
