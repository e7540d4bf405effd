#pragma once

#include "lobby/house/house_state.h"

/*
 * Faults confined to one item. The disk works, but a write is refused, or a required row is
 * missing, because the data of one table, account or request are inconsistent. Such a fault costs
 * that item, never the house. The pass of the core's loop is undone, and the house is rebuilt from
 * the data, as after a full disk (read_only.h). The work in progress at the fault is then given up
 * (undo.h): a table is closed before its connections return to it; otherwise a request is answered
 * `no` `failed`; otherwise a connection ends; otherwise a part of the house rests for
 * FAULT_REST_MS. The log names the fault, and the lobby is told when a table is closed. A failing
 * disk or a damaged file is not confined to one item: then the core ends (stored.h).
 */

#define FAULT_REST_MS 600000

/* Records a fault: the storage returned this result for a call that must succeed. */
void fault_record(struct house *house, enum storage_result result);

/* Blames the faults that follow on an item, such as table 7 ("table", 7); with number 0, on no
 * item. Returns the previous house->doing, which the caller restores later. */
struct doing fault_blame_item(struct house *house, const char *kind, int64_t number);

/* Called during a rebuild: if the part has met a fault, logs the fault and continues without what
 * the part wanted to write. */
void fault_log_and_continue(struct house *house, const char *part);

/* Logs a fault, with the work that was in progress. `part` is the name of a part, or NULL. */
void fault_log(const struct house *house, const struct fault *fault, const char *part);
