#ifndef LOBBY_PERSONS_BOT_NAMES_H
#define LOBBY_PERSONS_BOT_NAMES_H

#include <stddef.h>

/* The bots that sit at tables: each is an account of its own and always plays one policy, so a
 * rating of "ella" means something. */
struct bot_name {
    const char *name;
    const char *policy; /* as game_policy_find knows it */
};

#define BOT_NAMES_MAX 14

/* NULL after the last one, which is the BOT_NAMES_MAXth. Several share a policy, so that a table
 * can be filled with it. */
const struct bot_name *bot_name_at(size_t index);

#endif
