#pragma once

#include "lobby/house/house_state.h"
#include "lobby/protocol/rows.h"

/* The presence shown in rows, and its text: "" when there is none or the person is muted. */
uint8_t presence_for_row(const struct house *house, const struct person *person,
                         char text[ROW_PRESENCE_SIZE]);

/* "ada is away: coffee", a sentence of say.h; for do-not-disturb also what happens to a message. */
json_t *presence_sentence(const struct house *house, const struct person *person);
