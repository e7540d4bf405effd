#pragma once

#include <stdbool.h>

/*
 * What the last picture was painted with: the test is linked so that each call of curses that
 * writes comes here first. It knows what a terminal no longer shows: texts written over others,
 * and where a text was cut.
 */

/* Texts that draw_text() cut, each as its row up to the cut. */
int ink_cuts(void);
const char *ink_cut(int index);

/* The first text that was written over another one, "" when none was. */
const char *ink_overlap(void);
