#pragma once

#include <stdbool.h>

/*
 * Limits how often the session makes hints, each of which takes as much processor time as drawing
 * many frames. Without the limit, keys or lines that are typed faster than anybody reads could use
 * more processor time than the session's watchdog allows, and end the session.
 */
struct ui;

/* True if the session may make a hint now, which then counts. Otherwise warns the person. */
bool screen_may_make_hint(struct ui *ui);
