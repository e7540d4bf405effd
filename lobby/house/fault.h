#ifndef LOBBY_HOUSE_FAULT_H
#define LOBBY_HOUSE_FAULT_H

#include "lobby/house/house_state.h"

/*
 * Faults of one thing: the disk works, but the data refuse what was to be written, or lack what has
 * to be there, because of one table, account or request. Such a fault costs that thing, never the
 * house: the turn is undone, the house is built anew from the data, as after a full disk
 * (read_only.h), and whatever the house was at when it met the fault pays for it (undo.h). A table
 * is closed, before the connections come back to it; else a request is answered `no` `failed`; else
 * a connection ends; else a part of the house rests for FAULT_REST_MS. It is said on the log, and a
 * table's end in the lobby.
 *
 * A failing disk or a damaged file is no such fault: the core ends then (stored.h).
 */

#define FAULT_REST_MS 600000

/* The storage gave this instead of what has to be. */
void fault_note(struct house *house, enum storage_result result);

/* While the house is built, when a part of it has met a fault: says so on the log, and goes on
 * without what that part wanted to write. */
void fault_pass(struct house *house, const char *part);

/* Says on the log what met a fault; `part`: a part's name, or NULL. */
void fault_log(const struct house *house, const struct fault *fault, const char *part);

#endif
