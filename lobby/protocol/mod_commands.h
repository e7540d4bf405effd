#pragma once

#include <stddef.h>

/* What moderators, hosts and players do by a line of words, for whoever offers it: help,
 * completion, who sees it. What it does is the house's (lobby/mod/mod_line.h). */

enum rank {
    RANK_PLAYER,
    RANK_HOST, /* of the table one is at */
    RANK_MOD,
    RANK_ADMIN,
    RANK_OWNER, /* a shell on the server */
};

struct mod_command_words {
    const char *name;
    enum rank rank;
    const char *args; /* N_() */
    const char *help; /* N_(): one sentence */
};

/* In the order of mod_commands.def; NULL past the last. */
const struct mod_command_words *mod_command_words_at(size_t index);

/* NULL when there is none. */
const struct mod_command_words *mod_command_words_find(const char *name);
