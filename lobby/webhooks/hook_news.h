#ifndef LOBBY_WEBHOOKS_HOOK_NEWS_H
#define LOBBY_WEBHOOKS_HOOK_NEWS_H

#include "lobby/house/house_state.h"

/* What webhooks are told besides turns: of who is away at that moment. */

/* The game at this table has begun, or is over. */
void hook_news_start(struct house *house, struct table *table);
void hook_news_over(struct house *house, struct table *table);

/* Somebody has written to the account of that name, whose person is NULL when not connected; what
 * they wrote stays in the house. */
void hook_news_tell(struct house *house, int64_t account, const struct person *person,
                    const char *name, const char *from);

#endif
