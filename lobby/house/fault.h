#pragma once

#include "lobby/house/house_state.h"

/*
 * Handles faults. In a fault the disk works, but a write is refused, or a required row is missing,
 * because the data of one table, account or request are inconsistent. A fault costs only
 * this table, account or request, never the house. The pass of the core's loop is undone, and the
 * house is rebuilt from the data, as after a full disk (read_only.h). The work in progress at the
 * fault is then given up (undo.h): a table is closed before its connections return to it; otherwise
 * a request is answered `no` `failed`; otherwise a connection ends; otherwise a part of the house
 * rests for FAULT_REST_MS. The log names the fault, and the lobby is told when a table is closed. A
 * failing disk or a damaged file is no such fault: then the core ends (stored.h).
 */

#define FAULT_REST_MS 600000

/* Records a fault: the storage returned this result for a call that must succeed. */
void fault_record(struct house *house, enum storage_result result);

/* From now on, an item such as table 7 ("table", 7) is blamed for every fault; with number 0, no
 * item is. Returns the previous house->doing, which the caller restores later. */
struct doing fault_blame_item(struct house *house, const char *item_kind, int64_t item_number);

/* Called during a rebuild. If the part has met a fault, logs the fault and forgets it, so that the
 * rebuild continues without what the part wanted to write. */
void fault_log_and_continue(struct house *house, const char *part_name);

/* Logs a fault and the work in progress when it occurred. `part_name` names the part that
 * met the fault, or is NULL. */
void fault_log(const struct house *house, const struct fault *fault, const char *part_name);
