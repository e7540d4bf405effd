#pragma once

/* The window's title as libvterm tells it: versions before 0.2 (Debian 12) tell the whole title,
 * later versions tell it piece by piece. */

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <vterm.h>

/* Writes the told title, cut if it does not fit, into `title`, which holds what was told before. */
static inline void vterm_title_store(char *title, size_t size, const VTermValue *told)
{
#if VTERM_VERSION_MAJOR == 0 && VTERM_VERSION_MINOR < 2
    (void)snprintf(title, size, "%s", told->string);
#else
    const size_t len = told->string.initial ? 0 : strlen(title);
    (void)snprintf(title + len, size - len, "%.*s", (int)told->string.len, told->string.str);
#endif
}
