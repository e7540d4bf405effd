#pragma once

#include "daemon/base/bytes.h"
#include "daemon/screens/kernel/ui.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A person's terminal, whatever it is connected by: what is known of it, what was typed there, what
 * is to be shown. What a client says about it passes the functions below before anything of ours
 * believes it (SECURITY.md, SSH).
 */
enum {
    TERMINAL_NAME_SIZE = 33, /* with the terminating NUL */
    TERMINAL_COLUMNS = 80,
    TERMINAL_ROWS = 24,
};

struct terminal_size {
    int columns, rows;
};

struct terminal {
    char name[TERMINAL_NAME_SIZE];
    struct terminal_size size;
    uint8_t locale_rank;   /* of the variable that was heeded last; 0: none came */
    uint8_t language_rank; /* the same, for the language */
    const char *language;  /* the tag of a language (i18n.h); NULL: none was asked for */
    bool is_ascii;         /* its locale has no UTF-8: other signs would come out as rubbish */
    bool is_resized;       /* set with every new size; the reader clears it */
    struct ui_lines lines; /* what it takes: pictures, or lines alone */
    bool has_new_lines;    /* set when that changes; the reader clears it */
    bool is_ended;         /* nobody will type any more, but somebody may read on */
    bool is_closed;        /* by the client: nobody types any more */
    bool is_overrun;       /* something typed was lost: nobody had looked for too long */
    struct bytes in;       /* typed, not read yet */
    struct bytes out;      /* painted, not sent yet */
};

/* In place: 80 by 24, without a name. What is typed beyond in_max bytes, unread, is lost. */
void terminal_init(struct terminal *terminal, size_t in_max);

/* The first `len` bytes of `out` have left. */
void terminal_sent(struct terminal *terminal, size_t len);

/* Copies a name of the form [A-Za-z0-9][A-Za-z0-9.+_-]{0,31}; any other becomes "unknown", which
 * no terminal description has, so the screen falls back and says so. NULL is no name. */
void terminal_name_copy(char name[TERMINAL_NAME_SIZE], const char *offered);

/* A variable of the client's environment. LC_ALL, LC_CTYPE and LANG, the first of them that is set
 * and not empty (POSIX, XBD 8.2), tell whether its character set is UTF-8; LC_ALL, LC_MESSAGES and
 * LANG likewise which language is asked for. A client that sends none changes nothing. False for a
 * variable that is none of a locale's: it is of no interest. */
bool terminal_environment(struct terminal *terminal, const char *name, const char *value);

/* True for the name of terminals that draw nothing. */
bool terminal_name_is_dumb(const char *name);

/* Zero or less in either direction means that the client does not know: 80 by 24 then. All else is
 * clamped to 20-500 columns and 10-200 rows: a screen costs memory by its size. */
struct terminal_size terminal_size_clamp(int columns, int rows);
