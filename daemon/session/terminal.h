#pragma once

#include "daemon/base/bytes.h"
#include "daemon/base/zones.h"
#include "daemon/screens/kernel/ui.h"

/*
 * A person's terminal, whatever the transport: its properties, typed input, and output to show. The
 * functions below check what a client claims about its terminal before it is used.
 */
enum {
    TERMINAL_NAME_SIZE = 33, /* size of a terminal's name with the terminating NUL */
    TERMINAL_COLUMNS = 80,
    TERMINAL_ROWS = 24,
};

struct terminal_size {
    int columns, rows;
};

struct terminal {
    char name[TERMINAL_NAME_SIZE];
    struct terminal_size size;
    uint8_t locale_rank; /* priority of the variable that has set the character set; 0: none has */
    uint8_t language_rank; /* priority of the variable that has set the language; 0: none has */
    const char *language;  /* tag of the language (i18n.h); NULL: none was requested */
    char timezone[ZONES_NAME_SIZE]; /* the client's variable TZ; "": it has sent none */
    bool is_ascii;         /* the locale's character set is not UTF-8, so only ASCII is shown */
    bool is_resized;       /* set whenever the size changes; the reader clears it */
    struct ui_lines lines; /* the chosen mode: full screen or plain lines */
    bool has_new_lines;    /* set when `lines` changes; the reader clears it */
    bool is_ended;  /* the client will send no more input, but somebody may still read the output */
    bool is_closed; /* the client has closed its terminal: there is no more input */
    bool is_overrun;  /* input was lost because it was not read in time */
    struct bytes in;  /* typed input that has not been read yet */
    struct bytes out; /* output that has not been sent yet */
};

/* Sets the size to 80 by 24 and leaves the name empty. Keeps at most in_max bytes of input until
 * they are read, and discards further input. */
void terminal_init(struct terminal *terminal, size_t in_max);

/* Removes the first `len` bytes of `out`, which have been sent. */
void terminal_drop_sent_bytes(struct terminal *terminal, size_t len);

/* Marks the input from `start` on as a paste (key_parser.h) if it can be nothing else: it came at
 * once, is text, and goes on after a line break. Many terminals do not mark what is pasted. Does
 * nothing on a terminal that has only plain mode, where a file of lines works as if it were typed.
 * Input that leaves no room for the marks is dropped. */
void terminal_mark_paste(struct terminal *terminal, size_t start);

/* Replaces what is not ASCII in the output by ASCII if the terminal shows only that. Screens write
 * ASCII already; this is for what is said before and after them. */
void terminal_convert_output(struct terminal *terminal);

/* Copies a name of the form [A-Za-z0-9][A-Za-z0-9.+_-]{0,31}. Any other name, or NULL, becomes
 * "unknown". There is no terminal description of that name, so the screen uses another description
 * and says so. */
void terminal_name_copy(char name[TERMINAL_NAME_SIZE], const char *offered_name);

/* Reads the character set, the language and the time zone from a variable of the client's
 * environment. The first non-empty one of LC_ALL, LC_CTYPE and LANG (POSIX, XBD 8.2) decides
 * whether the character set is UTF-8; LC_ALL, LC_MESSAGES and LANG decide the language; TZ names
 * the zone. Ignores any other variable, and returns false. */
bool terminal_take_env_variable(struct terminal *terminal, const char *name, const char *value);

/* True if this is the name of a terminal on which no screen can be drawn. */
bool terminal_name_is_dumb(const char *name);

/* Returns the size, limited to 20 to 500 columns and 10 to 200 rows, because a screen's memory
 * depends on it. If columns or rows are 0 or less, the size is unknown: returns 80 by 24. */
struct terminal_size terminal_size_clamp(int columns, int rows);
