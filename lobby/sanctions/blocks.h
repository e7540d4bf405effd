#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/tables/tables.h"

/* Which accounts people ignore, and with which they refuse to play. Blocks are private: nobody is
 * told of them, and a refusal because of a block reads like any other refusal. */

/* the most accounts that a person may ignore, and the most they may refuse to play with */
#define BLOCKS_MAX 100

/* Loads the blocks that the person has set, and those that others have set against them. */
void blocks_load(struct house *house, struct person *person);

/* Whether the person receives what this account says (0: a guest or the house). */
bool blocks_allow_messages_from(const struct person *person, int64_t account) MUST_CHECK;

/* True when this person and somebody at the table must not play together. The refusal,
 * blocks_refusal_text, names nobody. */
bool blocks_exist_with_someone_at_table(const struct person *person,
                                        const struct storage_table *table) MUST_CHECK;
const char *blocks_refusal_text(void);

/* True when there is somebody with whom this person must not play. */
bool blocks_keep_person_apart(const struct person *person) MUST_CHECK;

/* True when this account (0: a guest) and somebody in the house must not play together. */
bool blocks_exist_with_someone_in_house(const struct house *house, int64_t account) MUST_CHECK;
