#pragma once

#include "lobby/house/house_state.h"

/*
 * Checks the result of a call to the storage. Returns true after STORAGE_OK. NOT_FOUND and TAKEN
 * are left to the caller. After any other result this pass of the core's loop cannot be committed,
 * and house_commit reacts: a full disk makes the house read-only, refused data are a fault
 * (fault.h), and a failing disk or a damaged file ends the core.
 */
bool stored(struct house *house, enum storage_result result) MUST_CHECK;

/* Checks the result of a storage call that must succeed: NOT_FOUND and TAKEN count as faults,
 * too. */
void stored_or_fail(struct house *house, enum storage_result result);

/* Checks the result of a read that is made ahead (storage_read_ahead_begin), and so finds nothing
 * now. */
void stored_ahead(struct house *house, enum storage_result result);

/* Checks the result of a storage call that must succeed. A fault is blamed on the item of this kind
 * and number (fault.h). */
void stored_or_fail_item(struct house *house, const char *item_kind, int64_t item_number,
                         enum storage_result result);

/* Returns false if this pass cannot be committed any more, so that long work can stop early. */
bool stored_can_commit(const struct house *house);

/* Makes the core end; no message of this pass is sent. `why` is one sentence for the log. Only the
 * first call counts. */
void house_fail(struct house *house, const char *why);
