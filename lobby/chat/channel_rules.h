#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "storage/chat/chat.h"

/* Rules that moderators set for one chat, such as the lobby's or a channel: slow mode and
 * freezing. */

/* True when moderators have frozen the chat for which this person's line is meant. */
bool channel_is_frozen(struct house *house, const struct person *person,
                       const struct storage_chat *line) MUST_CHECK;

/* True when the line may be said now in its chat. Otherwise the request is answered `frozen` or
 * `wait`. Staff may always talk. */
bool channel_admits_line(const struct request *request, const struct storage_chat *line) MUST_CHECK;

/* Writes the name of the chat to which a line belongs: "lobby", "#7" for a table, or "#tea" for a
 * channel. */
#define PLACE_SIZE 24
void chat_write_name_of_line(const struct storage_chat *line, char out[PLACE_SIZE]);
