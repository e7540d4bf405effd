#ifndef LOBBY_CHAT_NEWS_H
#define LOBBY_CHAT_NEWS_H

#include "lobby/house/house_state.h"

/* Which of the house's news somebody has read; guests are new to all of them. */

/* The last entry the person has read, 0: none; and from now on this one. */
int64_t news_seen(const struct person *person);
void news_read(struct house *house, struct person *person, int64_t entry);

/* Tells a connection that has come in how many there are that its person has not read. */
void news_tell(struct house *house, const struct conn *conn);

#endif
