#ifndef LOBBY_PROTOCOL_VERBS_H
#define LOBBY_PROTOCOL_VERBS_H

#include <stddef.h>

/* What moderators, hosts and players do by a line of words, for whoever offers it: help,
 * completion, who sees it. What it does is the house's (lobby/mod/verb.h). */

enum verb_role {
    VERB_PLAYER,
    VERB_HOST, /* of the table one is at */
    VERB_MOD,
    VERB_ADMIN,
    VERB_OWNER, /* a shell on the server */
};

struct verb_words {
    const char *name;
    enum verb_role role;
    const char *args; /* N_() */
    const char *help; /* N_(): one sentence */
};

/* In the order of verbs.def; NULL past the last. */
const struct verb_words *verb_words_at(size_t index);

/* NULL when there is none. */
const struct verb_words *verb_words_find(const char *name);

#endif
