#pragma once

#include "daemon/screens/drawing/press.h"

#include <stdbool.h>

/* A scrolling list with a selected row. The caller draws rows top … top + visible - 1. */
struct list {
    int selected; /* 0 … count - 1 */
    int top;      /* first row shown */
    int count;
    int visible; /* rows shown at the last draw */
};

/* Call it before drawing: clamps everything to the current count and height. */
void list_clamp(struct list *list, int count, int visible);

/* Handles up, down, pages, Home, End, the wheel, j and k; true if the key was one of them. */
bool list_handle_key(struct list *list, const struct press *press);

/* The index of the row at that offset from the first one shown; -1 if there is none. */
int list_row_at(const struct list *list, int offset);
