#pragma once

#include "lobby/house/house_state.h"

/*
 * Returns true after STORAGE_OK. The caller handles NOT_FOUND and TAKEN. Any other result means
 * that this turn cannot be committed, and house_commit acts on it: a full disk makes the house
 * read-only, refused data are a fault (fault.h), and a failing disk or damaged file fails the
 * house.
 */
bool stored(struct house *house, enum storage_result result) MUST_CHECK;

/* The same for a call that has to succeed: NOT_FOUND and TAKEN are faults, too. */
void stored_or_fail(struct house *house, enum storage_result result);

/* The same, but a fault costs the item of that kind and number (fault.h). */
void stored_or_fail_item(struct house *house, const char *kind, int64_t number,
                         enum storage_result result);

/* False once this turn cannot be committed: long work may stop. */
bool stored_can_commit(const struct house *house);

/* Nothing of this turn may be sent, and the core has to end. `why` is one sentence for the log; the
 * first one is kept. */
void house_fail(struct house *house, const char *why);
