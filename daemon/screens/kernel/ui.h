#pragma once

#include "daemon/base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What one person sees: screens drawn by ncurses into memory, driven by bytes from a terminal and
 * messages from the core. It knows no transport: bytes go in, painted bytes come out. One per
 * process (ncurses keeps globals of its own). now_ms is a clock that never jumps, from any start.
 * Pushes carry no time of their own: call ui_tick each time the caller wakes, before it hands on
 * bytes or packets. Needs memfd_create, socketpair and RLIMIT_FSIZE of 1 MiB or more.
 */
struct ui;
struct client;

/* The smallest size a terminal is said to have (ui_setup, ui_resize). */
#define UI_COLUMNS_LEAST 20
#define UI_ROWS_LEAST 10

/* Plain lines instead of a drawn screen: one line an event, no escape sequence whatever. */
struct ui_lines {
    bool is_on;         /* this terminal takes nothing else; else people may choose */
    bool is_echoed;     /* what is typed is echoed and edited here; else the client does both */
    bool is_piped;      /* no terminal at all: '\n' ends a line, and nothing hides a password */
    bool is_read_aloud; /* lines are never broken */
};

struct ui_setup {
    const char *term;  /* TERM as the terminal named it; unknown ones fall back with a word */
    int columns, rows; /* already clamped */
    bool is_ascii;     /* its character set is not UTF-8 */
    bool is_visitor;   /* begin with sign-up instead of the lobby */
    const char *suggested_name;          /* sign-up: may be "" */
    bool has_key;                        /* sign-up: the connection's key can be bound */
    bool is_telnet;                      /* others can read along: no password is changed here */
    uint32_t password_min, password_max; /* bytes; 0: 10 and 128 */
    const char *you;                     /* JSON of the protocol's `you`; NULL for a visitor */
    const char *house;                   /* its name, from `welcome`; NULL: not known yet */
    struct ui_lines lines;
    struct client *client; /* borrowed: requests go out and pushes come in through it */
};

/* Prepares terminfo, ncurses and the first screen. NULL when no terminal description at all can
 * be loaded. */
struct ui *ui_new(const struct ui_setup *setup);

/* The client must hand on nothing afterwards: answers still to come would go to this ui. */
void ui_free(struct ui *ui);

/* Bytes typed. */
void ui_input(struct ui *ui, const uint8_t *bytes, size_t len, int64_t now_ms);

/* The terminal's new size, already clamped. */
void ui_resize(struct ui *ui, int columns, int rows);

/* Time passes: clocks on the screen, a trick shown for a moment. */
void ui_tick(struct ui *ui, int64_t now_ms);

/* Milliseconds until ui_tick or ui_paint is wanted; -1: only after input. */
int ui_timeout_ms(const struct ui *ui, int64_t now_ms);

/* True when there is something new to show (at most ten times a second, at once after a key). */
bool ui_wants_paint(const struct ui *ui, int64_t now_ms);

/* Paints the latest state and appends the bytes for the terminal. */
void ui_paint(struct ui *ui, int64_t now_ms, struct bytes *out);

/* The terminal takes (lines->is_on) plain lines alone from now on, or echoes otherwise. */
void ui_set_lines(struct ui *ui, const struct ui_lines *lines);

/* Nothing will be typed any more: leaves once all that was typed has been carried out. */
void ui_end_input(struct ui *ui, int64_t now_ms);

/* Leaves once what has been typed by now is carried out, and all it asked for is answered. */
void ui_leave_after(struct ui *ui);

/* What is typed from now on was given with the ssh command: orders say so (PROTOCOL.md, mod). */
void ui_set_exec(struct ui *ui);

/* Whether the last order (PROTOCOL.md, mod) typed here was carried out: neither refused, nor still
 * without its answer, nor taken back at a question. */
bool ui_is_order_done(const struct ui *ui);

/* True while a password is being typed into plain lines: better not echoed by the client. */
bool ui_is_secret(const struct ui *ui);

/* True once the person asked to leave, or the core said `bye`. */
bool ui_is_done(const struct ui *ui);

/* Leaves the screen: the bytes that restore the terminal and a last line that says why. */
void ui_end(struct ui *ui, struct bytes *out);
