#pragma once

#include "lobby/house/house_state.h"

/* Keeps track of the news entries that a person has read. Guests have read none. */

/* Return and set the number of the last news entry that the person has read; 0: none. */
int64_t news_last_read_entry(const struct person *person);
void news_set_last_read(struct house *house, struct person *person, int64_t entry);
