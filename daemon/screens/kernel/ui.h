#pragma once

#include "daemon/base/bytes.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The user interface of one person: screens drawn by ncurses into memory, driven by bytes from a
 * terminal and messages from the core. It knows no transport: bytes go in, painted bytes come out.
 * One per process, since ncurses has global state. now_ms is monotonic with an arbitrary start.
 * Pushes contain no time of their own: call ui_tick each time the caller wakes, before it passes
 * bytes or packets. Needs memfd_create, socketpair and RLIMIT_FSIZE of 1 MiB or more.
 */
struct ui;
struct client;

/* The smallest size of a terminal (ui_setup, ui_resize). */
#define UI_COLUMNS_LEAST 20
#define UI_ROWS_LEAST 10

/* Plain mode instead of a drawn screen: one line per event, no escape sequences at all. */
struct ui_lines {
    bool is_on;         /* this terminal supports nothing else; otherwise people may choose */
    bool is_echoed;     /* typed text is echoed and edited here; otherwise the client does both */
    bool is_piped;      /* no terminal at all: '\n' ends a line, and nothing hides a password */
    bool is_read_aloud; /* lines are never wrapped */
};

struct ui_setup {
    const char *term;     /* TERM as the client sent it; unknown ones fall back with a notice */
    int columns, rows;    /* already clamped */
    bool is_ascii;        /* its character set is not UTF-8 */
    bool is_unregistered; /* start with sign-up instead of the lobby */
    const char *suggested_name;          /* sign-up: may be "" */
    bool has_key;                        /* sign-up: the connection has a key to sign up with */
    bool is_telnet;                      /* not encrypted: no password can be changed here */
    uint32_t password_min, password_max; /* bytes; 0: 10 and 128 */
    const json_t *you; /* the protocol's `you`, borrowed; NULL for somebody unregistered */
    const char *house; /* its name, from `welcome`; NULL: not known yet */
    struct ui_lines lines;
    struct client *client; /* borrowed: requests go out and pushes arrive through it */
};

/* Prepares terminfo, ncurses and the first screen. NULL if no terminal description at all can be
 * loaded. */
struct ui *ui_new(const struct ui_setup *setup);

/* Afterwards the client must not pass anything on: late answers would go to this ui. */
void ui_free(struct ui *ui);

/* Takes typed bytes. */
void ui_take_input(struct ui *ui, const uint8_t *bytes, size_t len, int64_t now_ms);

/* Sets the terminal's new size, already clamped. */
void ui_resize(struct ui *ui, int columns, int rows);

/* Advances time: clocks on the screen, a trick shown for a moment. */
void ui_tick(struct ui *ui, int64_t now_ms);

/* Milliseconds until ui_tick or ui_paint must be called; -1: only after input. */
int ui_timeout_ms(const struct ui *ui, int64_t now_ms);

/* True if there is something new to show (at most ten times a second, at once after a key). */
bool ui_wants_paint(const struct ui *ui, int64_t now_ms);

/* Paints the latest state and appends the bytes for the terminal. */
void ui_paint(struct ui *ui, int64_t now_ms, struct bytes *out);

/* Changes the terminal's line mode: it supports (lines->is_on) only plain mode from now on, or
 * echoes differently. */
void ui_set_line_mode(struct ui *ui, const struct ui_lines *lines);

/* Input has ended: leaves once all typed lines have been carried out. */
void ui_end_input(struct ui *ui, int64_t now_ms);

/* Leaves once all lines typed so far are carried out, and their requests answered. */
void ui_leave_after_typed_lines(struct ui *ui);

/* Lines typed from now on come from the ssh command line: moderation commands say so (PROTOCOL.md,
 * mod). */
void ui_mark_exec_session(struct ui *ui);

/* True if the last moderation command typed here was carried out: neither refused, nor unanswered,
 * nor cancelled at a question. */
bool ui_mod_command_succeeded(const struct ui *ui);

/* True while a password is being typed in plain mode: the client should not echo it. */
bool ui_hides_typing(const struct ui *ui);

/* True once the person has asked to leave, or the core has sent `bye`. */
bool ui_is_done(const struct ui *ui);

/* Appends the bytes that restore the terminal, and a last line that says why the session ends. */
void ui_restore_terminal(struct ui *ui, struct bytes *out);
