#pragma once

#include "tests/lobby/evening.h"

/* Compares, for everybody connected, three versions of what they see: what pushed messages have
 * told, what the house sends when asked to send everything again, and what the next core sends
 * after a restart. Returns true when the three are equal; otherwise prints each difference to
 * stderr after `title`. */
bool seen_stays_same_over_restart(struct driver *driver, const char *title);

/* Returns everything that everybody connected sees, with the answers to all requests that only ask,
 * as JSON in many lines. The caller frees it. */
char *seen_collect_text(struct driver *driver);

/* Disconnects everybody who was sent `bye`. */
void seen_disconnect_those_sent_bye(struct driver *driver);

/* Ends the core without warning; everybody still connected returns to the next core. */
void seen_restart_core(struct driver *driver);

/* Sends all requests for every second viewer; any answer is accepted. */
void seen_send_all_requests(struct driver *driver);
