#pragma once

#include <stddef.h>

/* The bots that sit at tables: each is an account of its own and always plays one policy, so a
 * rating of "ella" means something. */
struct bot_name {
    const char *name;
    const char *policy; /* as game_policy_find knows it */
};

#define BOT_NAMES_MAX 14

/* NULL after the last one, at BOT_NAMES_MAX. Several bots share a policy, so that a whole table can
 * play it. */
const struct bot_name *bot_name_at(size_t index);
