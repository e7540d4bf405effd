#ifndef LOBBY_HOOK_NEWS_H
#define LOBBY_HOOK_NEWS_H

#include "lobby/house_state.h"

/* What webhooks are told besides turns: of who is away at that moment. */

/* The game at this table has begun, or is over. */
void hook_news_start(struct house *house, struct table *table);
void hook_news_over(struct house *house, struct table *table);

/* Somebody has written to this person; what they wrote stays in the house. */
void hook_news_tell(struct house *house, const struct person *to, const char *from);

#endif
