#include "lobby/protocol/verbs.h"

#include "games/macros.h"

#include <string.h>

static const struct verb_words verbs[] = {
#define VERB(name, role, args, help) {#name, VERB_##role, args, help},
#include "lobby/protocol/verbs.def"
#undef VERB
};

const struct verb_words *verb_words_at(size_t index)
{
    return index < ARRAY_LEN(verbs) ? &verbs[index] : NULL;
}

const struct verb_words *verb_words_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
        if (strcmp(verbs[i].name, name) == 0) {
            return &verbs[i];
        }
    }
    return NULL;
}
