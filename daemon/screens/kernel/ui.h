#pragma once

#include "daemon/base/bytes.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The user interface of one person. Bytes from a terminal and messages from the core go in; screens
 * drawn by ncurses into memory come out. It does no input or output itself. A process can have only
 * one, because ncurses has global state.
 *
 * now_ms is monotonic with an arbitrary start. Messages contain no time of their own, so ui_tick
 * must be called each time the caller wakes, before it passes bytes or packets. Needs memfd_create
 * and an RLIMIT_FSIZE of at least 1 MiB.
 */
struct ui;
struct client;
struct display;

/* The smallest terminal size; the caller raises smaller sizes to it. */
#define UI_COLUMNS_LEAST 20
#define UI_ROWS_LEAST 10

/* How a terminal takes and shows the lines of plain mode, which replaces drawn screens by one line
 * per event without escape sequences. */
struct ui_lines {
    bool is_on; /* the terminal supports only plain mode; otherwise the person may turn plain mode
                   on and off */
    bool is_echoed;     /* the house echoes and edits typed text; otherwise the ssh or telnet client
                           does both */
    bool is_piped;      /* there is no terminal: '\n' ends a line, and nothing hides a password */
    bool is_read_aloud; /* lines are never wrapped, for screen readers */
};

struct ui_setup {
    const char *term; /* TERM as the client sent it; an unknown one is replaced, with a notice */
    int columns,
        rows;      /* size of the terminal, which the caller has brought into the allowed range */
    bool is_ascii; /* the terminal's character set is not UTF-8 */
    bool is_unregistered;       /* the session starts with sign-up instead of the lobby */
    const char *suggested_name; /* the name suggested for sign-up; may be "" */
    bool has_key;   /* the client has shown an SSH key, with which the person can sign up */
    bool is_telnet; /* the connection is not encrypted: no password can be changed */
    uint32_t password_min,
        password_max;  /* allowed length of a new password in bytes; 0: the defaults, 10 and 128 */
    const json_t *you; /* the account as the protocol's `you` object, borrowed; NULL for somebody
                          unregistered */
    const char *house; /* the house's name, from `welcome`; NULL: not known yet */
    struct ui_lines lines;
    struct display *prepared; /* a display to use or to free (display.h), if the screen is drawn;
                                 NULL: there is none */
    struct client *client;    /* borrowed: sends requests, and delivers the core's messages */
};

/* Prepares terminfo, ncurses and the first screen. NULL if no terminal description can be
 * loaded. */
struct ui *ui_new(const struct ui_setup *setup);

/* Frees the user interface. Afterwards the client must not deliver messages to it. */
void ui_free(struct ui *ui);

/* Handles bytes typed at the terminal. `len` 0 says that none came: then an Esc is a key of its own
 * if the rest of its sequence is overdue. */
void ui_handle_input(struct ui *ui, const uint8_t *bytes, size_t len, int64_t now_ms);

/* Returns the time at which ui_handle_input must be called even if nothing was typed; INT64_MAX:
 * never. */
int64_t ui_keys_due_ms(const struct ui *ui);

/* Sets the terminal's new size, which the caller has brought into the allowed range. */
void ui_resize(struct ui *ui, int columns, int rows);

/* Advances the time, for clocks on the screen and tricks shown for a moment. */
void ui_tick(struct ui *ui, int64_t now_ms);

/* Milliseconds until ui_tick or ui_paint must be called; -1: only after input. */
int ui_poll_timeout_ms(const struct ui *ui, int64_t now_ms);

/* True until the core has sent what the first frame shows. A frame may be painted before, but would
 * be replaced a moment later. */
bool ui_awaits_first_content(const struct ui *ui);

/* True if a new frame should be painted: at most ten times a second, but at once after a key. */
bool ui_wants_paint(const struct ui *ui, int64_t now_ms);

/* Paints the current state and appends the bytes for the terminal. */
void ui_paint(struct ui *ui, int64_t now_ms, struct bytes *out);

/* Changes how the terminal takes and shows lines. With lines->is_on the terminal supports only
 * plain mode from now on. */
void ui_set_line_mode(struct ui *ui, const struct ui_lines *lines);

/* Notes the end of input: the session ends once all typed lines are carried out. */
void ui_note_end_of_input(struct ui *ui, int64_t now_ms);

/* Ends the session once all lines typed so far are carried out and their requests answered. */
void ui_leave_after_typed_lines(struct ui *ui);

/* Marks the lines typed from now on as coming from the ssh command line, which moderation commands
 * report to the core (PROTOCOL.md, mod). */
void ui_mark_lines_from_ssh_command(struct ui *ui);

/* True if the last moderation command succeeded: it was neither refused nor cancelled, and it was
 * answered. */
bool ui_last_mod_command_succeeded(const struct ui *ui);

/* True while a password is being typed in plain mode, so that the client does not echo it. */
bool ui_is_typing_hidden(const struct ui *ui);

/* True once the person has asked to leave, or the core has ended the connection. */
bool ui_is_done(const struct ui *ui);

/* Appends the bytes that restore the terminal, and a last line that says why the session ends. */
void ui_restore_terminal(struct ui *ui, struct bytes *out);
