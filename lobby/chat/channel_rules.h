#ifndef LOBBY_CHAT_CHANNEL_RULES_H
#define LOBBY_CHAT_CHANNEL_RULES_H

#include "lobby/house/house_state.h"
#include "storage/chat/chat.h"

/* Where people talk, and what staff made of it: slow, frozen, lines hidden. */

/* Whether staff have silenced this person where the line would be said. */
bool channel_is_frozen(struct house *house, const struct person *person,
                       const struct storage_chat *line) MUST_CHECK;

/* True when the channel takes a line of this person now; else the request is answered `frozen` or
 * `wait`. Staff are never kept from talking. */
bool channel_takes(struct house *house, struct conn *conn, int64_t request,
                   const struct storage_chat *line) MUST_CHECK;

/* "lobby", "#7" or "#tea": where a line is said. */
#define PLACE_SIZE 24
void place_name(const struct storage_chat *line, char out[PLACE_SIZE]);

#endif
