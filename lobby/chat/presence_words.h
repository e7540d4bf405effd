#pragma once

#include "lobby/house/house_state.h"
#include "lobby/protocol/rows.h"

/* Returns the person's presence for lobby rows, and copies its text: "" when there is none or the
 * person is muted. */
uint8_t presence_for_lobby_row(const struct house *house, const struct person *person,
                               char text[ROW_PRESENCE_SIZE]);

/* Makes a sentence (say.h) such as "ada is away: coffee". For do-not-disturb it adds that messages
 * are delivered later. */
json_t *presence_sentence(const struct house *house, const struct person *person);
