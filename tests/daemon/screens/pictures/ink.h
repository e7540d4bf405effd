#pragma once

#include <stdbool.h>

/*
 * Records what the last picture was painted with: the linker redirects every writing call of curses
 * to this file. It finds what a terminal no longer shows: texts that others overwrote, and where a
 * text was cut.
 */

/* The texts that draw_text() cut: their number, and each as its row up to the cut. */
int ink_cuts(void);
const char *ink_cut(int index);

/* Returns the first text that was written over another one; "" if there is none. */
const char *ink_overlap(void);
