#ifndef DAEMON_SESSION_TERMINAL_H
#define DAEMON_SESSION_TERMINAL_H

#include <stddef.h>

/* What a client says about its terminal, before anything of ours believes it (SECURITY.md, SSH). */
enum {
    TERMINAL_NAME_SIZE = 33, /* with the terminating NUL */
    TERMINAL_COLUMNS = 80,
    TERMINAL_ROWS = 24,
};

struct terminal_size {
    int columns, rows;
};

/* Copies a name of the form [A-Za-z0-9][A-Za-z0-9.+_-]{0,31}; any other becomes "unknown", which
 * no terminal description has, so the screen falls back and says so. NULL is no name. */
void terminal_name_copy(char name[TERMINAL_NAME_SIZE], const char *offered);

/* Zero or less in either direction means that the client does not know: 80 by 24 then. All else is
 * clamped to 20-500 columns and 10-200 rows: a screen costs memory by its size. */
struct terminal_size terminal_size_clamp(int columns, int rows);

#endif
