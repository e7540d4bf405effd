#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/press.h"
#include "daemon/screens/kernel/account.h"
#include "daemon/screens/kernel/confirm.h"
#include "daemon/screens/kernel/hint_pace.h"
#include "daemon/screens/kernel/hints.h"
#include "daemon/screens/kernel/notice.h"
#include "daemon/screens/kernel/question.h"
#include "daemon/screens/kernel/request.h"
#include "daemon/screens/kernel/room.h"
#include "daemon/screens/kernel/session_info.h"
#include "daemon/screens/kernel/stack.h"
#include "daemon/screens/kernel/typed_line.h"
#include "daemon/screens/model/model.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Defines what a screen is. With the headers included above, this one header offers everything that
 * screens and commands may use.
 *
 * A screen is a const struct at the end of its file and one line in screens.def. Screens stand on
 * a stack, the lobby at the bottom. The kernel owns the three bottom rows of every screen: a
 * line for notices, the input line, and the row of keys. A screen paints the body above them and
 * handles keys. None of these headers includes curses.
 */
struct ui;

/* A keyboard key that a screen uses, as its help and the bottom row show the key. */
struct screen_key {
    const char *keys; /* the key's name: "Enter", "1-7", "← →"; marked for translation with N_() if
                         it contains words */
    const char *help; /* N_(): what the key does, without a full stop; NULL: not in the help */
    const char
        *command;     /* the command that does the same as the key: "/sit"; NULL: there is none */
    const char *hint; /* N_(): the key's hint in the bottom row; NULL: it has no hint there */
};

/* A screen's handler for one type of messages that the core pushes. It is called after the model
 * has been updated from the message. */
struct screen_push {
    const char *type;
    void (*take)(struct ui *ui, void *state, const json_t *message);
};

struct screen {
    const char *name;  /* the name by which screen_open finds the screen: "lobby" */
    const char *title; /* N_() */
    /* bytes of the screen's state, which is zeroed before `enter` and freed after `leave`; may
     * be 0 */
    size_t state_size;
    bool is_framed;    /* the body has a frame over the whole width; the line for notices is the
                          frame's bottom line */
    bool shows_chat;   /* answers in the chat can be read there; elsewhere a notice shows them */
    bool has_own_exit; /* the bottom row shows no "? help" and "q back" */
    const struct screen_key *keys; /* the screen's keys; the last row is all NULLs */

    /* All functions but `draw` may be NULL. `argument` is the one that was given to screen_open. */
    void (*enter)(struct ui *ui, void *state, int64_t argument);
    void (*leave)(struct ui *ui, void *state);

    /* Draws the screen into canvas->body, which is blank. The screen may have any size from 60x18
     * on. `draw` stores in the state only the positions that later clicks and page keys need. */
    void (*draw)(struct ui *ui, void *state, const struct canvas *canvas);

    /* Returns the fields of the message lobby_watch (PROTOCOL.md): the rows of the lobby's lists
     * that the screen shows, as it was drawn last. The caller releases them. NULL: the screen shows
     * none of these rows. */
    json_t *(*lobby_query)(struct ui *ui, void *state);

    /* Handles a key, a click or the wheel. While the person types in the input line, only page
     * keys, clicks and the wheel come here. False if the screen does not use the key: the kernel
     * then handles it (q and Esc close, ? opens help; c, the space bar or / start typing; Enter and
     * any other character tell the person the keys of the screen). */
    bool (*key)(struct ui *ui, void *state, const struct press *press);

    /* True while typed characters begin a chat line, because the chat has the keyboard focus: the
     * screen then gets no characters. May be NULL. */
    bool (*takes_talk)(const struct ui *ui, const void *state);

    /* Receives a typed line that is about to be said. True if the line is not said, because the
     * screen has used it (a move) or has told the person why it was not said. Called for every open
     * screen, the top one first. May be NULL. */
    bool (*catches_line)(struct ui *ui, void *state, const char *line);

    /* Returns how many rows at the bottom of the body a long notice may cover, because nothing
     * stands there that the person must see to decide. NULL: any rows. */
    int (*count_free_rows)(const void *state);

    /* Adds the hints that depend on the screen's state to the bottom row. The kernel then adds the
     * hints of `keys`, and "? help" and "q back" unless `has_own_exit`; it repeats no key. */
    void (*hints)(struct ui *ui, void *state, struct hints *hints);

    /* Returns whether the help lists this one of `keys`: false for a key that the game at the table
     * has no use for. NULL: the help lists all keys. */
    bool (*lists_key)(struct ui *ui, const struct screen_key *key);

    /* The pushed messages that the screen handles even while another screen is above it. The last
     * row is all NULLs. May be NULL. */
    const struct screen_push *pushes;

    /* Prints the screen in lines, for plain mode. False if the screen still waits for an answer of
     * the core; the kernel then calls the function again after the next message. */
    bool (*print)(struct ui *ui, void *state, struct lines *lines);

    /* Plain mode: handles a typed line that is no command, without surrounding blanks; "" for Enter
     * alone. False if the screen does not use the line, which is then sent as chat. A screen
     * without this function is printed and closed. */
    bool (*line)(struct ui *ui, void *state, const char *line);

    /* Plain mode: called after every event, prints what has changed with time. Returns when the
     * next such change is due, by the clock of screen_now_ms; INT64_MAX: never. */
    int64_t (*pass)(struct ui *ui, void *state);

    /* Returns when the screen changes by itself (a running clock), by the clock of screen_now_ms;
     * INT64_MAX: never. */
    int64_t (*next_ms)(const struct ui *ui, const void *state);
};

/* Returns the area of the body, into which screens are drawn: all rows but the kernel's. Only for a
 * drawn screen. */
struct area screen_body(const struct ui *ui);

#define SCREEN(name) extern const struct screen name;
#include "daemon/screens/kernel/screens.def"
#undef SCREEN

/* Return a screen by its name, or by its index in screens.def; NULL if there is none. */
const struct screen *screen_find(const char *name);
const struct screen *screen_get_by_index(size_t index);
