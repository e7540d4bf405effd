#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The list of moderation commands, for help, completion and permissions. lobby/mod/mod_line.c
 * executes them. */

enum rank {
    RANK_PLAYER,
    RANK_HOST, /* the host of the table where the sender is */
    RANK_MOD,
    RANK_ADMIN,
    RANK_OWNER, /* the owner, who has a shell on the server */
};

struct mod_command_info {
    const char *name;
    enum rank rank;
    const char *args; /* N_() */
    const char *help; /* one sentence, marked with N_() */
};

/* Returns the command at this index of mod_commands.def; NULL after the last. */
const struct mod_command_info *mod_command_info_at(size_t index);

/* Returns true if help lists the command to people of this rank. Commands of hosts are listed to
 * everybody, since every player may host a table. */
bool mod_command_is_listed_for(const struct mod_command_info *command, enum rank rank);

/* Returns the command with this name; NULL if there is none. */
const struct mod_command_info *mod_command_info_find(const char *name);
