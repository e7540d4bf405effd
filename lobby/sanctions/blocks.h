#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/tables/tables.h"

/* Whom people ignore, and whom they refuse to play with. This is private: nobody is told, and a
 * refusal reads like one for other reasons. */

#define BLOCKS_MAX 100 /* for each person: accounts ignored, and accounts not played with */

/* Loads the blocks that the person, who has entered, has set, and those others have set against
 * them. */
void blocks_read(struct house *house, struct person *person);

/* Whether the person wants to hear this account (0: a guest or the house). */
bool blocks_hears(const struct person *person, int64_t account) MUST_CHECK;

/* True when a block stands between this person and somebody at the table. blocks_why gives the
 * refusal, which names nobody. */
bool blocks_keep_apart(const struct person *person, const struct storage_table *table) MUST_CHECK;
const char *blocks_why(void);

/* True when a block stands between this account (0: a guest) and somebody in the house. */
bool blocks_concern(const struct house *house, int64_t account) MUST_CHECK;
