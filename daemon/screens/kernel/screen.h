#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/press.h"
#include "daemon/screens/kernel/account.h"
#include "daemon/screens/kernel/confirm.h"
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

/* A key of a screen, for its help and for the hints in the bottom row. */
struct screen_key {
    const char
        *keys; /* the key's name: "Enter", "1-7", "← →"; N_() if it contains words of a language */
    const char *help; /* N_(): what the key does, without a full stop; NULL: not in the help */
    const char
        *command;     /* the command that does the same as the key: "/sit"; NULL: there is none */
    const char *hint; /* N_(): the key's hint in the bottom row; NULL: it has no hint there */
};

/* How a screen handles a message that the core pushed, after the model was updated from it. */
struct screen_push {
    const char *type;
    void (*take)(struct ui *ui, void *state, const json_t *message);
};

struct screen {
    const char *name;  /* the name with which screen_open finds it: "lobby" */
    const char *title; /* N_() */
    /* bytes of the screen's state, which is zeroed before `enter` and freed after `leave`; may
     * be 0 */
    size_t state_size;
    bool is_framed; /* the screen's body is a box over the whole width, closed by the notice's line
                     */
    bool has_own_exit;             /* the bottom row shows no "? help" and "q back" */
    const struct screen_key *keys; /* its keys, ended by a row of NULLs */

    /* All functions but `draw` may be NULL. `argument` is that of screen_open. */
    void (*enter)(struct ui *ui, void *state, int64_t argument);
    void (*leave)(struct ui *ui, void *state);

    /* Draws the screen into canvas->body, which is blank. The screen may have any size from 60x18
     * on; `draw` keeps in the state only what clicks and pages need. */
    void (*draw)(struct ui *ui, void *state, const struct canvas *canvas);

    /* Handles a key while nothing is being typed; page keys, clicks and the wheel even while
     * something is. False if the screen does not use the key: the kernel then handles it (q and Esc
     * close, ? opens help; c, the space bar, any other letter, Enter or / start typing). */
    bool (*key)(struct ui *ui, void *state, const struct press *press);

    /* Adds the hints that depend on the state. The keys with a hint follow, then "? help" and "q
     * back" unless `has_own_exit`; a key that was added before is not repeated. */
    void (*hints)(struct ui *ui, void *state, struct hints *hints);

    /* Messages that the screen handles wherever it is on the stack; ended by a row of NULLs, or
     * NULL. */
    const struct screen_push *pushes;

    /* Prints the screen in lines, for plain mode. False if the screen still waits for an answer of
     * the core; the kernel then calls the function again after the next message. */
    bool (*print)(struct ui *ui, void *state, struct lines *lines);

    /* Plain mode: handles a typed line that is no command, without surrounding blanks; "" for Enter
     * alone. False if the screen does not use the line, which is then sent as chat. A screen
     * without this function is printed and closed. */
    bool (*line)(struct ui *ui, void *state, const char *line);

    /* Plain mode: prints what changes with time, after every event. Returns when there will be more
     * to print, by the clock of screen_now_ms; INT64_MAX: never. */
    int64_t (*pass)(struct ui *ui, void *state);

    /* Returns when the screen changes by itself (a running clock), by the clock of screen_now_ms;
     * INT64_MAX: never. */
    int64_t (*next_ms)(const struct ui *ui, const void *state);
};

#define SCREEN(name) extern const struct screen name;
#include "daemon/screens/kernel/screens.def"
#undef SCREEN

/* Return a screen by its name, or by its index in screens.def; NULL if there is none. */
const struct screen *screen_find(const char *name);
const struct screen *screen_at(size_t index);
