#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A key or a mouse event (key_parser.h). */
enum press_kind {
    PRESS_CHAR,   /* a typed character, in `code`; Ctrl-A is code 1 */
    PRESS_PASTED, /* a pasted character, in `code`; never a control character */
    PRESS_ENTER,
    PRESS_ESCAPE,
    PRESS_TAB,
    PRESS_BACKTAB,
    PRESS_BACKSPACE,
    PRESS_DELETE,
    PRESS_UP,
    PRESS_DOWN,
    PRESS_LEFT,
    PRESS_RIGHT,
    PRESS_HOME,
    PRESS_END,
    PRESS_PAGE_UP,
    PRESS_PAGE_DOWN,
    PRESS_CLICK, /* a mouse click at `row`, `column` of the whole screen */
    PRESS_WHEEL_UP,
    PRESS_WHEEL_DOWN,
};

struct press {
    enum press_kind kind;
    uint32_t code;       /* the Unicode character of PRESS_CHAR and PRESS_PASTED */
    int row, column;     /* where on the screen the mouse was clicked or its wheel turned */
    bool is_after_break; /* a line break comes before the pasted character */
};
