#include "lobby/protocol/protocol.h"

#include "games/macros.h"

#include <string.h>

static const struct mod_command_info commands[] = {
#define MOD_COMMAND(name, rank, args, help, ...) {#name, RANK_##rank, args, help},
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND
};

const struct mod_command_info *mod_command_info_at(size_t index)
{
    return index < ARRAY_LEN(commands) ? &commands[index] : NULL;
}

bool mod_command_is_listed_for(const struct mod_command_info *command, enum rank rank)
{
    return command->rank <= rank || command->rank == RANK_HOST;
}

const struct mod_command_info *mod_command_info_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}
