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

/* A key of a screen, for its help and for the line of keys at the bottom. */
struct screen_key {
    const char *keys;    /* "Enter", "1-7", "← →"; N_() if it contains words of a language */
    const char *help;    /* N_(): what the key does, without full stop; NULL: not in the help */
    const char *command; /* the command that does the same, "/sit"; NULL: none (moving about) */
    const char *hint;    /* N_(): its words in the line of keys; NULL: it is not listed there */
};

/* What a screen does after the model took a push of that type. */
struct screen_push {
    const char *type;
    void (*take)(struct ui *ui, void *state, const json_t *message);
};

struct screen {
    const char *name;  /* for screen_open: "lobby" */
    const char *title; /* N_() */
    /* size of the screen's state, which is zeroed before enter and freed after leave; may be 0
     * */
    size_t state_size;
    bool is_framed;                /* the body is a box over the whole width, closed by the rule */
    bool has_own_exit;             /* the line of keys gets no "? help" and "q back" */
    const struct screen_key *keys; /* ended by a row of NULLs */

    /* All but draw may be NULL. `argument` is screen_open's. */
    void (*enter)(struct ui *ui, void *state, int64_t argument);
    void (*leave)(struct ui *ui, void *state);

    /* Paints canvas->body, which is blank before. Called at any size of at least 60x18, so it keeps
     * only what it needs to handle clicks and pages. */
    void (*draw)(struct ui *ui, void *state, const struct canvas *canvas);

    /* Handles a key while nothing is being typed (pages, clicks and the wheel always, unless a
     * question is open). False: not used, so the kernel handles it (q and Esc close, ? opens help;
     * c, the space bar, any other letter, Enter or / start typing). */
    bool (*key)(struct ui *ui, void *state, const struct press *press);

    /* Adds the hints that depend on the state. The keys with a hint follow, then "? help" and "q
     * back" unless `has_own_exit`; a key that was added before is not repeated. */
    void (*hints)(struct ui *ui, void *state, struct hints *hints);

    /* Called whatever the screen's place in the stack; ended by a row of NULLs; may be NULL. */
    const struct screen_push *pushes;

    /* Prints the same in lines, for plain mode. False: it does not know enough yet and is called
     * again after the next answer or push. */
    bool (*tell)(struct ui *ui, void *state, struct lines *lines);

    /* Plain mode: handles a typed line that is no command, without surrounding blanks; "" for Enter
     * alone. False: not used, so the line is sent as chat. A screen without this function is
     * printed and closed. */
    bool (*line)(struct ui *ui, void *state, const char *line);

    /* Plain mode, after every event: prints what changes with time, and sets when (by
     * screen_now_ms's clock) it will have more to print; INT64_MAX for never. */
    int64_t (*pass)(struct ui *ui, void *state);

    /* When it must be drawn again without an event (a running clock), by screen_now_ms's clock;
     * INT64_MAX for never. */
    int64_t (*next_ms)(const struct ui *ui, const void *state);
};

#define SCREEN(name) extern const struct screen name;
#include "daemon/screens/kernel/screens.def"
#undef SCREEN

/* NULL if there is none of that name, or after the last. */
const struct screen *screen_find(const char *name);
const struct screen *screen_at(size_t index);
