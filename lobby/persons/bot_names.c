#include "lobby/persons/bot_names.h"

#include "games/macros.h"

static const struct bot_name bot_names[BOT_NAMES_MAX] = {
    {"ella", N_("careful")}, {"otto", "careful"},     {"nora", "careful"},
    {"hugo", "careful"},     {"ida", "careful"},      {"emil", "careful"},
    {"vera", "careful"},     {"dizzy", N_("random")}, {"puck", "random"},
    {"jinx", "random"},      {"muddle", "random"},    {"scamp", "random"},
    {"rascal", "random"},    {"whim", "random"},      {"ariadne", N_("strong")},
    {"circe", "strong"},     {"daedalus", "strong"},  {"hector", "strong"},
    {"minos", "strong"},     {"pallas", "strong"},    {"thales", "strong"},
};

const struct bot_name *bot_name_at(size_t index)
{
    return index < ARRAY_LEN(bot_names) ? &bot_names[index] : NULL;
}
