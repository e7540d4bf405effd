#pragma once

#include "storage/storage.h"

/* Tries on a copy of the data what a core would make of them. */

/* Receives one sentence about something that a house on these data would close or do without;
 * borrowed. */
typedef void house_check_report(void *context, const char *words);

/* Opens a house on the storage as a core does, and runs its pending work; this changes the storage.
 * Returns false, with one sentence in `why`, when no core could start. */
bool house_check(struct storage *storage, int64_t now_ms, house_check_report *say, void *context,
                 char why[STORAGE_WHY_SIZE]) MUST_CHECK;
