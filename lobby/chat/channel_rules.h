#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/chat/chat.h"

/* Rules that moderators impose on a place of chat: slow mode, freezing, hidden lines. */

/* True when moderators have frozen the place that this person's line is addressed to. */
bool channel_is_frozen(struct house *house, const struct person *person,
                       const struct storage_chat *line) MUST_CHECK;

/* True when the channel accepts a line from this person now; otherwise the request is answered
 * `frozen` or `wait`. Staff may always talk. */
bool channel_admits_line(const struct request *request, const struct storage_chat *line) MUST_CHECK;

/* The name of the place a line is said in: "lobby", "#7" or "#tea". */
#define PLACE_SIZE 24
void chat_place_name(const struct storage_chat *line, char out[PLACE_SIZE]);
