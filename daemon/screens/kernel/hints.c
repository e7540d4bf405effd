#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "games/macros.h"

#include <stdio.h>
#include <string.h>

void hints_add(struct hints *hints, const char *key, const char *label)
{
    for (int i = 0; i < hints->count; i++) {
        if (strcmp(hints->at[i].key, key) == 0) {
            return;
        }
    }
    if (hints->count < HINTS_MAX) {
        int at = hints->count++;
        snprintf(hints->at[at].key, HINT_MAX, "%s", key);
        snprintf(hints->at[at].label, HINT_MAX, "%s", label);
    }
}

const char *hints_translate_key_names(const char *keys, bool is_ascii)
{
    static const struct {
        const char *signs, *words;
    } arrows[] = {{"← →", N_("left right")}, {"↑ ↓", N_("up down")}, {"↑", N_("up")}};
    for (size_t i = 0; i < ARRAY_LEN(arrows) && is_ascii; i++) {
        if (strcmp(keys, arrows[i].signs) == 0) {
            return _(arrows[i].words);
        }
    }
    return _(keys);
}
