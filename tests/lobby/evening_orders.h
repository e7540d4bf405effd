#pragma once

#include "tests/lobby/evening.h"

/* Each moderation command of mod_commands.def, at least once, as it is given in the evening's house
 * so that it succeeds. */
struct evening_order {
    const char *command;
    int64_t conn;
    const char *line; /* what follows the command's name on the line */
};

/* Returns NULL after the last one. */
const struct evening_order *evening_order_at(size_t index);

#define EVENING_ORDER_SIZE 160

/* Writes the whole line of a command. */
void evening_order_write(const struct evening_order *order, char line[EVENING_ORDER_SIZE]);
