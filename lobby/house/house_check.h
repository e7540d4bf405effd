#pragma once

#include "storage/storage.h"

/* Finds out, on a copy of the data, whether a core could start with these data, and which tables or
 * parts would lose something. */

/* Receives one sentence about a loss: something that a house with these data would close or leave
 * out. The sentence is borrowed. */
typedef void house_check_report(void *context, const char *words);

/* Opens a house on the storage as a core does, and runs its pending work, which changes the
 * storage. Returns false, with the reason as one sentence in `why`, when no core could start. */
bool house_check(struct storage *storage, int64_t now_ms, house_check_report *report_finding,
                 void *context, char why[STORAGE_WHY_SIZE]) MUST_CHECK;
