#pragma once

#include "lobby/protocol/rows.h"

/* The bots that sit at tables. Each has an account of its own and always plays at the same level,
 * so that its rating measures that level. A level's word in messages is also the name of the policy
 * (games/bots/policy.h) by which its bots play. */
struct bot_name {
    const char *name;
    enum bot_level level;
};

#define BOT_NAMES_MAX 21

/* Returns the bot at this index; NULL after the last. Several bots share a level, so that a whole
 * table can play at it. */
const struct bot_name *bot_name_at(size_t index);

/* Returns the level of the bot of that name; BOT_LEVEL_NONE for any other name. */
enum bot_level bot_level_of_name(const char *name);

/* Returns the level whose policy has this name; BOT_LEVEL_NONE for any other text. */
enum bot_level bot_level_from_policy(const char *policy);
