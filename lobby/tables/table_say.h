#pragma once

#include "lobby/house/house_state.h"

/* Says a line from the house at the table; {0} is replaced by the name. */
void table_say(struct house *house, struct table *table, const char *format, const char *name);
