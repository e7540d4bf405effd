#pragma once

#include "tests/lobby/evening.h"

/* Compares, for everybody connected: what pushes have told, what the house sends anew, and what the
 * next core sends after a restart. Returns true when these are equal; else prints each difference
 * to stderr after `title`. */
bool seen_check_restart(struct driver *driver, const char *title);

/* Disconnects everybody who was sent `bye`. */
void seen_disconnect_dismissed(struct driver *driver);

/* Ends the core without warning; everybody still connected returns to the next core. */
void seen_restart_core(struct driver *driver);

/* Every second person asks all questions; any answer is accepted. */
void seen_ask_everything(struct driver *driver);
