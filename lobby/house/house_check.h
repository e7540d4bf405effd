#pragma once

#include "storage/storage.h"

/* Tries out, on a copy of the data, what a core would do with the data. */

/* Receives one sentence about something that a house on these data would close or leave out;
 * borrowed. */
typedef void house_check_report(void *context, const char *words);

/* Opens a house on the storage as a core does, and runs its pending work, which changes the
 * storage. Returns false, with the reason as one sentence in `why`, when no core could start. */
bool house_check(struct storage *storage, int64_t now_ms, house_check_report *say, void *context,
                 char why[STORAGE_WHY_SIZE]) MUST_CHECK;
