#include "lobby/persons/persons.h"

#include "games/macros.h"

#include <string.h>

static const struct bot_name bot_names[BOT_NAMES_MAX] = {
    {"tilly", BOT_LEVEL_EASY},   {"pogo", BOT_LEVEL_EASY},       {"bumble", BOT_LEVEL_EASY},
    {"noodle", BOT_LEVEL_EASY},  {"waffle", BOT_LEVEL_EASY},     {"fidget", BOT_LEVEL_EASY},
    {"pickle", BOT_LEVEL_EASY},  {"ella", BOT_LEVEL_MEDIUM},     {"otto", BOT_LEVEL_MEDIUM},
    {"nora", BOT_LEVEL_MEDIUM},  {"hugo", BOT_LEVEL_MEDIUM},     {"ida", BOT_LEVEL_MEDIUM},
    {"emil", BOT_LEVEL_MEDIUM},  {"vera", BOT_LEVEL_MEDIUM},     {"ariadne", BOT_LEVEL_STRONG},
    {"circe", BOT_LEVEL_STRONG}, {"daedalus", BOT_LEVEL_STRONG}, {"hector", BOT_LEVEL_STRONG},
    {"minos", BOT_LEVEL_STRONG}, {"pallas", BOT_LEVEL_STRONG},   {"thales", BOT_LEVEL_STRONG},
};

const struct bot_name *bot_name_at(size_t index)
{
    return index < ARRAY_LEN(bot_names) ? &bot_names[index] : NULL;
}

enum bot_level bot_level_of_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(bot_names); i++) {
        if (strcmp(bot_names[i].name, name) == 0) {
            return bot_names[i].level;
        }
    }
    return BOT_LEVEL_NONE;
}

enum bot_level bot_level_from_policy(const char *policy)
{
    size_t level = row_value_of_word(&bot_level_words, policy);
    return level < bot_level_words.count ? (enum bot_level)level : BOT_LEVEL_NONE;
}
