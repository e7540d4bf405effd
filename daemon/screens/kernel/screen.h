#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/press.h"
#include "daemon/screens/drawing/theme.h"
#include "daemon/screens/kernel/account.h"
#include "daemon/screens/kernel/confirm.h"
#include "daemon/screens/kernel/hints.h"
#include "daemon/screens/kernel/notice.h"
#include "daemon/screens/kernel/question.h"
#include "daemon/screens/kernel/quit.h"
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
 * What a screen is, and (by the headers above) all that screens and commands may do: one include
 * for them.
 *
 * A screen is a const struct at the end of its file and one line in screens.def. Screens stand on
 * a stack, the lobby at the bottom. The kernel owns the three bottom rows of every screen: a rule
 * that carries notices, the input line, the key line. A screen paints the body above them and
 * answers keys. Nothing here includes curses.
 */
struct ui;

/* A row of a screen's part of the help. */
struct screen_key {
    const char *keys;    /* "Enter", "1-7" */
    const char *help;    /* N_(): what it does, a sentence without full stop */
    const char *command; /* the command that does the same, "/sit"; NULL: none (moving about) */
};

/* What a screen does after the model took a push of that type. */
struct screen_push {
    const char *type;
    void (*take)(struct ui *ui, void *state, const json_t *message);
};

struct screen {
    const char *name;  /* for screen_open: "lobby" */
    const char *title; /* N_() */
    size_t
        state_size; /* the screen's own state: zeroed before enter, freed after leave; may be 0 */
    bool is_framed; /* the body is a box over the whole width: the rule closes it */
    const struct screen_key *keys; /* ended by a row of NULLs */

    /* All may be NULL but draw. `argument` is screen_open's. */
    void (*enter)(struct ui *ui, void *state, int64_t argument);
    void (*leave)(struct ui *ui, void *state);

    /* Paints canvas->body; everything is blank before. Called at any size of at least 60x18, so
     * it keeps nothing from one call to the next but what it needs to answer clicks and pages. */
    void (*draw)(struct ui *ui, void *state, const struct canvas *canvas);

    /* A key while nothing is being typed (pages, clicks, the wheel: always, unless a question
     * stands). False: not wanted; the kernel does the usual thing (q and Esc close, ? helps, c
     * and the space bar, any other letter, Enter or / start typing). */
    bool (*key)(struct ui *ui, void *state, const struct press *press);

    void (*hints)(struct ui *ui, void *state, struct hints *hints);

    /* Called whatever the screen's place in the stack; ended by a row of NULLs; may be NULL. */
    const struct screen_push *pushes;

    /* Tells the same in lines, for plain mode. False: it does not know enough yet and is asked
     * again after the next answer or push. */
    bool (*tell)(struct ui *ui, void *state, struct lines *lines);

    /* Plain mode: a line typed that is no command, without blanks around it; "" for Enter alone.
     * False: not wanted, so it is talk. A screen without this function is told and left. */
    bool (*line)(struct ui *ui, void *state, const char *line);

    /* Plain mode, after every event: tells what only time brings, and when (by screen_now's clock)
     * it will have something to tell again; INT64_MAX for never. */
    int64_t (*pass)(struct ui *ui, void *state);

    /* When it wants to be drawn again though nothing happened (a running clock), by
     * screen_now's clock; INT64_MAX for never. */
    int64_t (*next_ms)(const struct ui *ui, const void *state);
};

#define SCREEN(name) extern const struct screen name;
#include "daemon/screens/kernel/screens.def"
#undef SCREEN

/* NULL when there is none of that name, or past the last. */
const struct screen *screen_find(const char *name);
const struct screen *screen_at(size_t index);
