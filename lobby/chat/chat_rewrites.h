#ifndef LOBBY_CHAT_CHAT_REWRITES_H
#define LOBBY_CHAT_CHAT_REWRITES_H

#include "lobby/house/house_state.h"

/* What was said follows an account that has another name or is gone (storage/chat/chat_rewrites.h),
 * some lines a turn: somebody who said a million does not hold up the house. */

/* The first lines, in the transaction of what it follows from: those anybody could be shown. */
void chat_rewrites_start(struct house *house);

/* The house begins: work left over goes on. */
void chat_rewrites_begin(struct house *house);
void chat_rewrites_tick(struct house *house);
int64_t chat_rewrites_next_ms(const struct house *house);

#endif
