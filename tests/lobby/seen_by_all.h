#pragma once

#include "tests/lobby/evening.h"

/* True when everybody in an evening's house who was told of changes sees what the house tells anew,
 * and the same again of the next core on the same data; else what differs is said on stderr after
 * `title`. */
bool seen_survives_restart(struct driver *driver, const char *title);

/* Whoever was told `bye` goes. */
void seen_disconnect_dismissed(struct driver *driver);

/* The core dies, and everybody who is still there comes back to the next. */
void seen_restart_core(struct driver *driver);

/* Every other one asks everything, whatever the answers. */
void seen_ask_everything(struct driver *driver);
