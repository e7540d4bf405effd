#pragma once

#include <stdint.h>

/* A key or a mouse event, as curses reports it (display.h). */
enum press_kind {
    PRESS_CHAR, /* a typed character, in `code`; Ctrl-A is code 1 */
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
    uint32_t code;   /* the Unicode character of PRESS_CHAR */
    int row, column; /* where on the screen the mouse was clicked or its wheel turned */
};
