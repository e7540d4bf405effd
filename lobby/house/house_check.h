#ifndef LOBBY_HOUSE_HOUSE_CHECK_H
#define LOBBY_HOUSE_HOUSE_CHECK_H

#include "storage/storage.h"

/* What a core would make of data, tried on a copy of them. */

/* One sentence about something that a house on these data would close, or do without; borrowed. */
typedef void house_check_say(void *context, const char *words);

/* Opens a house on the storage, which it changes, as a core does, and has it do what waits. False,
 * and `why` holds one sentence, when no core could. */
bool house_check(struct storage *storage, int64_t now_ms, house_check_say *say, void *context,
                 char why[STORAGE_WHY_SIZE]) MUST_CHECK;

#endif
