#pragma once

#include <stddef.h>

/* The bots that sit at tables. Each has an account of its own and always plays the same policy, so
 * that its rating measures that policy. */
struct bot_name {
    const char *name;
    const char *policy; /* the id of a policy, for policy_find */
};

#define BOT_NAMES_MAX 21

/* Returns the bot at this index; NULL after the last. Several bots share a policy, so that a whole
 * table can play it. */
const struct bot_name *bot_name_at(size_t index);
