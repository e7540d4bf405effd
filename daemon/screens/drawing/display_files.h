#pragma once

#include <stdbool.h>
#include <stdio.h>

/*
 * The files through which curses reads and writes without a terminal: a memory file for its output,
 * and a pair of sockets for typed bytes. Curses remembers their descriptors' numbers.
 */
struct display_files {
    FILE *out; /* the memory file that curses writes to */
    FILE *in;  /* the end of the socket pair from which curses reads typed bytes */
    int feed;  /* the end of the socket pair to which typed bytes are written; -1: not open */
};

/* Opens the files, with numbers of at least `lowest` for the descriptors that curses uses. Returns
 * false with errno; then display_files_close must be called too. */
bool display_files_open(struct display_files *files, int lowest);

/* For a forked child that has closed the descriptors: makes new files with the same numbers, which
 * it shares with no other process. Returns false with errno. */
bool display_files_reopen(struct display_files *files);

void display_files_close(struct display_files *files);
