#pragma once

#include <stdbool.h>

/*
 * Records what is put into the latest frame: the linker redirects the functions of drawing/draw.h
 * to this file. So a test finds what it cannot see on the terminal: texts that were overwritten,
 * and texts that were cut.
 */

/* These functions return how many texts draw_text() cut, and the screen row of one of these texts
 * up to the cut. */
int ink_count_cut_texts(void);
const char *ink_get_cut_text(int index);

/* Returns the first text that was written over another one; "" if there is none. */
const char *ink_find_overlap(void);
