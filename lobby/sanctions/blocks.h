#ifndef LOBBY_SANCTIONS_BLOCKS_H
#define LOBBY_SANCTIONS_BLOCKS_H

#include "lobby/house/house_state.h"

/* Whom people do not want to hear, or to play with. Private: nobody is told of it, and a refusal
 * says no more than one for other reasons does. */

/* Reads what the person, who has come, wants, and who does not want them. */
void blocks_read(struct house *house, struct person *person);
void blocks_clear(struct person *person);

/* Whether the person wants to hear what this account (0: a guest or the house) says. */
bool blocks_hears(const struct person *person, int64_t account) MUST_CHECK;

/* True when somebody who sits there and this person have something against sitting together; why:
 * what to say then, which names nobody. */
bool blocks_keep_apart(const struct person *person, const struct table *table) MUST_CHECK;
const char *blocks_why(void);

/* True when nobody does; else the request is answered. */
bool blocks_let_sit(struct house *house, struct conn *conn, int64_t request,
                    const struct table *table) MUST_CHECK;

/* True when somebody in the house is to be kept apart from this account (0: a guest). */
bool blocks_concern(const struct house *house, int64_t account) MUST_CHECK;

#endif
