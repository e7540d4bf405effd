#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The list of moderation commands, for help, completion and permissions. lobby/mod/mod_line.h
 * executes them. */

enum rank {
    RANK_PLAYER,
    RANK_HOST, /* the host of the table that one is at */
    RANK_MOD,
    RANK_ADMIN,
    RANK_OWNER, /* whoever has a shell on the server */
};

struct mod_command_words {
    const char *name;
    enum rank rank;
    const char *args; /* N_() */
    const char *help; /* N_(): one sentence */
};

/* Returns the command at that place in mod_commands.def; NULL after the last. */
const struct mod_command_words *mod_command_words_at(size_t index);

/* True if help lists the command to people of this rank. Commands of hosts are listed to all, since
 * every player may host a table. */
bool mod_command_is_listed_for(const struct mod_command_words *command, enum rank rank);

/* Finds a command by its name; NULL if there is none. */
const struct mod_command_words *mod_command_words_find(const char *name);
