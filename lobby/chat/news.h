#pragma once

#include "lobby/house/house_state.h"

/* Tracks which of the house's news a person has read; guests have read none. */

/* The last entry the person has read, 0: none; and setting it. */
int64_t news_last_read(const struct person *person);
void news_set_last_read(struct house *house, struct person *person, int64_t entry);
