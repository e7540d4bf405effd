#pragma once

#include "daemon/screens/drawing/press.h"

#include <stdbool.h>

/* A selected row in a list that scrolls. The caller draws rows top … top + visible - 1. */
struct list {
    int selected; /* 0 … count - 1 */
    int top;      /* first row shown */
    int count;
    int visible; /* rows shown at the last draw */
};

/* Before drawing: clamps everything to the present count and height. */
void list_fit(struct list *list, int count, int visible);

/* Up, down, pages, Home, End, the wheel, j and k; true when the key was one of them. */
bool list_key(struct list *list, const struct press *press);

/* Index of the row at that offset from the first one shown, -1 when there is none. */
int list_row_at(const struct list *list, int offset);
